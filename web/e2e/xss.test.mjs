// Two hundred payloads wherever the panel shows what somebody else wrote: names and contents of files, summaries by a model, nodes and titles of
// trees, presets and personas, runs, sessions and memories of an agent, answers, addresses. Nothing runs, nothing is fetched from elsewhere.
import { clean, equal, go, ok, open, quiet, ready, test, toFile, until, visit } from './lib.mjs';
import { payloads, project, put, summarize } from './fixture.mjs';
import { Home } from './program.mjs';

const name = (payload, at) => `${String(at).padStart(3, '0')} ${payload.replaceAll('/', '∕')}`;
const say = (payload) => JSON.stringify(payload);
let planted = null;

/** A project where every door for foreign text has all payloads behind it. */
async function plant() {
  const home = new Home();
  project(home.project);
  const code = (at) => Array.from({ length: 12 }, (_, line) => `pub fn widget_${at}_${line}() -> usize {\n    ${line}\n}\n`).join('');
  payloads.forEach((payload, at) => put(home.project, `foreign/${name(payload, at)}.rs`, `//! ${payload}\n${code(at)}`));
  // TOML's basic strings are JSON's but for a few that no payload has.
  const presets = payloads.map((payload, at) => `[presets.${say(name(payload, at))}]\ndescription = ${say(payload)}\nfiles = ["src/lex.rs", ${say(`not there ${payload}`)}]\n`);
  const personas = payloads.slice(0, 40).map((payload, at) => `[personas.${say(name(payload, at))}]\nsystem_prompt = ${say(payload)}\ncontext_preset = ${say(payload)}\n`);
  put(home.project, 'contexture.toml', [...presets, ...personas].join('\n'));
  const all = payloads.map((payload) => `- ${payload}\n`).join('');
  put(home.folder, 'data/workspace/SOUL.md', all);
  put(home.folder, 'data/workspace/TOOLS.md', all);
  put(home.folder, 'data/workspace/memory/MEMORY.md', `# Memory\n\n${all}`);
  payloads.slice(0, 20).forEach((payload, at) => put(home.folder, `data/workspace/skills/s${at}/SKILL.md`, `---\nname: s${at}\ndescription: ${say(payload)}\n---\n\n${payload}\n`));
  put(home.folder, 'data/workspace/sessions/cli_1.json', JSON.stringify({ session_id: 'cli:1', channel: 'cli', chat_id: '1', created_at: '2026-01-01T00:00:00Z', last_accessed: '2026-01-01T00:00:00Z', messages: payloads.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content, timestamp: '2026-01-01T00:00:00Z' })) }));
  let asked = 0;
  const summaries = JSON.parse((await summarize(home, ['foreign'], (question) => {
    const about = /widget_\d+_0/.exec(question)?.[0] ?? 'widget_0_0';
    return `Holds the counting functions around \`${about}\`, and the text ${payloads[asked++ % payloads.length]} as data.`;
  })).toString().trim().split('\n').at(-1));
  put(home.folder, 'tree.json', JSON.stringify({ root: { text: payloads[1], children: payloads.map((text, at) => ({ text, children: at % 3 ? [] : [{ text: `and ${text}`, children: [] }] })) } }));
  await home.cli(['loom', 'import', `${home.folder}/tree.json`]);
  await home.cli(['loom', 'new', payloads[1]]);
  await home.cli(['loom', 'agent', payloads[1], '--kind', 'model']);
  const node = (await home.cli(['loom', 'add', '--author', payloads[1], payloads.join('\n')])).toString().trim();
  await home.cli(['loom', 'bookmark', node, '--label', payloads[1]]);
  for (const payload of payloads.slice(0, 3)) await home.cli(['build', '--query', payload, '--budget', '20000']);
  await home.serve();
  return { home, summaries };
}
const there = () => (planted ??= plant());

/** Nothing ran, nothing is drawn that no screen draws, nothing was asked for that no screen asks for. */
async function harmless(page, where) {
  equal(await page.evaluate(() => window.__xss), undefined, `ran on ${where}`);
  equal(await page.evaluate(() => [...document.querySelectorAll('img, iframe, script:not([src]), object, embed, video, audio, marquee, math, base, [onerror], [onload], [onfocus], [onclick], [href^="javascript:" i], [srcdoc]')].map((one) => one.outerHTML.slice(0, 80))), [], `foreign elements on ${where}`);
}

async function visitPlanted(browser) {
  const { home } = await there();
  const { context, page } = await visit(browser, { address: home.url });
  page.asked = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!/^\/($|api\/|assets\/|icon\.svg)/.test(pathname)) page.asked.push(pathname);
  });
  return { context, page };
}

/** Scrolls a list to its end, so that each of its rows is drawn once. */
async function through(page, locator) {
  await locator.evaluate(async (box) => {
    for (let last = -1; box.scrollTop !== last; box.scrollTop += box.clientHeight - 40) {
      last = box.scrollTop;
      await new Promise(requestAnimationFrame);
    }
  });
}

test('two hundred payloads do nothing on any screen', async (browser) => {
  const { home, summaries } = await there();
  ok(payloads.length === 200 && new Set(payloads).size === 200, 'two hundred different payloads');
  const { page } = await visitPlanted(browser);
  await ready(page);
  const screens = [
    ['#/compose?f=foreign', '[role=treegrid] .scroller', 'onerror=window.__xss=1'], ['#/budget', '.map', ''], ['#/preview', '.scroller.text', '<script>'], ['#/preview?format=json', '.scroller.text', 'onerror'], ['#/presets', '.pane.grow.scroll', 'onerror'],
    ['#/loom', '[role=tree]', 'onerror'], ['#/agent?ask=%3Cimg+src%3Dx+onerror%3Dwindow.__xss%3D1%3E&session=cli_1&max=60000', '.pane.grow.scroll', '<img src=x onerror=window.__xss=1>'],
    ['#/runs', '[aria-label="List of runs"]', ''], ['#/runs/1', '[aria-label="Run 1"]', 'onerror'], ['#/runs/1?with=2', '[aria-label="Run 1"]', ''], ['#/cache?f=foreign', '[role=table] .scroller', 'onerror'],
    ['#/safety', 'main', ''], ['#/settings', 'main .scroll', ''], ['#/file/notes/payloads.md?v=full,summary,outline', '.scroller.text', '<script>'],
  ];
  for (const [hash, list, words] of screens) {
    await go(page, hash);
    const box = page.locator(list).first();
    await box.waitFor();
    if (words) await until(`${words} as text on ${hash}`, async () => (await page.locator('main').innerText()).includes(words));
    await through(page, box);
    await harmless(page, hash);
  }
  const trees = (await home.ask('loom/trees')).trees;
  for (const tree of trees) {
    for (const as of ['', '?as=picture']) {
      await go(page, `#/loom/${tree.local}${as}`);
      await harmless(page, `a tree${as}`);
    }
  }
  for (const layer of ['system', 'memory', 'skills', 'tools', 'history']) {
    await go(page, '#/agent?ask=budget&session=cli_1');
    await page.getByRole('button', { name: layer, exact: true }).click();
    await harmless(page, `layer ${layer}`);
  }
  equal(page.asked, [], 'asked for');
  clean(page);
  return `${screens.length} screens, ${trees.length} trees, ${summaries.done?.length ?? summaries.written ?? '?'} summaries by a model`;
});

test('names, summaries and presets with each payload are drawn as text', async (browser) => {
  const { home, summaries } = await there();
  const kept = summaries.done.length;
  ok(kept >= 150, `${kept} summaries were kept`);
  const { page } = await visitPlanted(browser);
  await ready(page);
  // Each file as the summary that a model wrote about it, in one document.
  await go(page, '#/preview?strategy=summarize&include=foreign/**');
  await page.getByRole('region', { name: 'The exact text' }).waitFor();
  await until('summaries in the text', async () => (await page.locator('main').innerText()).includes('Holds the counting functions'));
  await through(page, page.locator('.scroller.text'));
  await harmless(page, 'summaries');
  await go(page, '#/compose?f=foreign');
  const seen = new Set();
  const box = page.locator('[role=treegrid] .scroller');
  await until('every name as text', async () => {
    for (const one of await page.locator('.nm').allTextContents()) seen.add(one);
    await box.evaluate((list) => (list.scrollTop += 300));
    return payloads.every((payload, at) => seen.has(`${name(payload, at)}.rs`));
  });
  const presets = (await home.ask('preset/list')).presets;
  equal(presets.length, payloads.length, 'presets');
  for (let at = 0; at < payloads.length; at += 8) {
    await go(page, `#/presets/${encodeURIComponent(`project/${name(payloads[at], at)}`)}`);
    ok((await page.locator('main').innerText()).includes(payloads[at].replace(/\s+/g, ' ').trim()), `description ${at}`);
    await harmless(page, `preset ${at}`);
  }
  equal(page.asked, [], 'asked for');
  clean(page);
  return `${kept} summaries kept of ${payloads.length}`;
});

test('payloads in dialogs, tooltips, the palette and the command line', async (browser) => {
  const { page } = await visitPlanted(browser);
  await go(page, '#/compose?f=foreign');
  await ready(page);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('2');
  await quiet(page);
  await harmless(page, 'edits');
  await page.getByRole('button', { name: 'Clear summary cache' }).click();
  await page.getByRole('dialog').waitFor();
  await harmless(page, 'the dialog');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('onerror');
  await quiet(page);
  ok((await page.getByRole('dialog').innerText()).includes('onerror'), 'found');
  await harmless(page, 'the palette');
  await page.keyboard.press('Escape');
  await page.locator('.nm').nth(3).hover();
  await row3(page);
  await harmless(page, 'the inspector');
  equal(page.asked, [], 'asked for');
  clean(page);
});
async function row3(page) {
  await page.locator('[role=row] .nm').nth(3).click();
  await quiet(page, 400);
}

test('a thousand payloads scrolled through', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/file/notes/payloads.md?v=full');
  const text = page.getByRole('region', { name: /Full text/ });
  await text.waitFor();
  await through(page, text);
  await harmless(page, 'the file');
  clean(page);
});

test('payloads in answers of the server and in the address', async (browser) => {
  const { context, page } = await visit(browser);
  await page.route('**/api/why', (route) => route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ v: 1, path: 'x', shown: true, view: 'full', tokens: 1, reason: '<img src=x onerror=window.__xss=1>', details: payloads, hint: '"><script>window.__xss=1</script>', weighed: null }) }));
  await toFile(page, 'parse.rs');
  await page.locator('.inspector').getByText('onanimationstart').first().waitFor();
  await harmless(page, 'reasons');
  for (const payload of payloads.slice(0, 4)) {
    const text = encodeURIComponent(payload);
    for (const hash of [`#/compose?f=${text}`, `#/compose?query=${text}`, `#/file/${text}`, `#/presets/${text}`, `#/loom/${text}`, `#/runs/1?with=${text}`, `#/settings/${text}?client=${text}`, `#/${text}`]) {
      await go(page, hash);
      await harmless(page, hash);
    }
  }
  // What is pasted into the address before the page is loaded.
  const other = await open(context, `${new URL(page.url()).origin}/#/file/<img src=x onerror=window.__xss=1>?v=<svg onload=window.__xss=1>`);
  await other.getByRole('alert').waitFor();
  await harmless(other, 'an address');
});
