// Five things people come for, from beginning to end, with the keys they take. What a person does with the mouse is done with the mouse here.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { clean, command, copied, equal, go, ok, quiet, ready, row, test, total, until, viewOf, visit } from './lib.mjs';
import { fixture, project, put } from './fixture.mjs';
import { Home, program } from './program.mjs';

/** Presses keys and counts them, as a person's fingers would. */
function fingers(page) {
  const hand = {
    keys: 0,
    async press(...keys) {
      for (const key of keys) {
        await page.keyboard.press(key);
        hand.keys++;
      }
      await quiet(page);
    },
    type: (text) => hand.press(...text),
  };
  return hand;
}
const since = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

test('a bug: four files by a word, what they import as skeletons, a budget, copied', async (browser) => {
  const home = new Home();
  project(home.project);
  for (const name of ['rows', 'cells', 'heads', 'feet']) put(home.project, `src/parse/${name}.rs`, `use crate::shared::Table;\n\npub fn ${name}(table: &Table) -> usize {\n    table.size() + 1\n}\n`);
  put(home.project, 'src/shared.rs', 'pub struct Table;\n\nimpl Table {\n    pub fn size(&self) -> usize {\n        let mut sum = 0;\n        for more in 0..9 {\n            sum += more;\n        }\n        sum\n    }\n}\n');
  await home.serve();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  const hand = fingers(page);
  const from = performance.now();
  // Nothing first, then what the bug needs.
  await hand.press('Control+a', 'Space', '/');
  await hand.type('parse');
  await hand.press('Enter', 'Space', 'A');
  await page.getByText(/^Added \d+ file/).waitFor();
  await page.getByRole('link', { name: 'Budget' }).click();
  const slider = await page.locator('#budget-range').boundingBox();
  await page.mouse.click(slider.x + slider.width * 0.9, slider.y + slider.height / 2);
  await ready(page);
  await hand.press('y');
  const text = await copied(page);
  const took = since(from);
  for (const name of ['rows', 'cells', 'heads', 'feet']) ok(text.includes(`### \`src/parse/${name}.rs\`\n`), `${name} is not there in full`);
  ok(text.includes('### `src/shared.rs` (skeleton)') && !text.includes('sum += more'), 'what they import is not a skeleton');
  ok(!text.includes('docs/page_1.md'), 'the rest is there');
  ok(/budget=\d/.test(page.url()), 'no budget');
  ok(hand.keys <= 12, `${hand.keys} keys`);
  clean(page);
  await home.end();
  return `${hand.keys} keys, ${took}`;
});

test('why is it so big: the largest cell becomes a skeleton, and comes back', async (browser) => {
  const { page } = await visit(browser);
  const before = await total(page);
  const hand = fingers(page);
  const from = performance.now();
  await hand.press('b');
  // Of what a skeleton makes smaller, the largest.
  await page.locator('.map [data-path="src/parse.rs"]').click();
  await hand.press('2');
  const after = await total(page);
  ok(after < before, `${after} is not less than ${before}`);
  ok((await page.locator('.map [data-path="src/parse.rs"]').getAttribute('aria-label')).includes('skeleton'), 'the map shows it');
  await hand.press('u');
  equal(await total(page), before);
  clean(page);
  return `${hand.keys} keys, ${since(from)}, ${before} to ${after} tokens`;
});

test('a talk went wrong: to the fork, two dumps out, what is kept is told, a new path', async (browser) => {
  const home = new Home();
  project(home.project);
  await home.cli(['loom', 'new', 'Wrong turn']);
  const add = async (text, as = 'human') => (await home.cli(['loom', 'add', '--as', as, text])).toString().trim();
  await add('Why does the parser fail?');
  const fork = await add('Let me look at the files.', 'model');
  await add(`dump one ${'word '.repeat(400)}`, 'model');
  await add(`dump two ${'word '.repeat(300)}`, 'model');
  await add('It is the lexer.', 'model');
  await home.cli(['loom', 'add', '--as', 'model', '--parent', fork, 'It is the table.']);
  await home.cli(['loom', 'fork', fork]);
  await home.serve();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  const hand = fingers(page);
  const from = performance.now();
  await hand.press('l');
  await page.getByRole('tree').focus();
  const to = async (words) => {
    for (let tries = 0; tries < 8; tries++) {
      const said = await page.evaluate(() => document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant')).querySelector('.said').textContent);
      if (said.startsWith(words)) return;
      await hand.press('ArrowUp');
    }
    throw new Error(`${words} is not above`);
  };
  // The end of the talk, so that what is excluded is on the path.
  await page.locator('.loomrow', { hasText: 'It is the lexer.' }).dblclick();
  await quiet(page);
  const tokens = async () => Number((await page.getByTestId('path-tokens').textContent()).replace(/\D/g, ''));
  const before = await tokens();
  await to('dump two');
  await hand.press('x');
  await to('dump one');
  await hand.press('x');
  await until('two nodes out', async () => (await page.locator('.loomrow.excluded').count()) === 2);
  const after = await tokens();
  ok(before - after > 600, `${before} to ${after}`);
  ok((await page.getByText(/saved by exclusion/).textContent()).includes((before - after).toLocaleString('en-US')), 'what is saved');
  const kept = Number((await page.getByTestId('path-kept').textContent()).replace(/\D.*/, ''));
  ok(kept > 5 && kept < after, `${kept} tokens stay`);
  await page.getByLabel('Go to a fork or a bookmark').selectOption({ label: 'Let me look at the files. (2)' });
  await hand.press('f');
  ok((await command(page)).includes(`loom fork`), await command(page));
  clean(page);
  await home.end();
  return `${hand.keys} keys, ${since(from)}, ${before} to ${after} tokens, ${kept} before the first exclusion`;
});

test('is it safe to send: the bar warns, Safety opens, the bar turns clean, marks stand in the text', async (browser) => {
  const home = new Home();
  project(home.project);
  put(home.folder, 'config/config.toml', '[safety]\nsecrets = "warn"\n');
  await home.serve();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  const from = performance.now();
  const bar = page.getByTestId('warnings');
  ok(/secrets in 1 file, hidden text in \d/.test(await bar.textContent()), await bar.textContent());
  await bar.getByRole('link').click();
  await page.getByRole('region', { name: 'Possible secrets' }).getByText('leaves as it is').waitFor();
  await page.getByRole('combobox', { name: /^Secrets/ }).selectOption('redact');
  await page.getByRole('region', { name: 'Possible secrets' }).getByText('masked', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: /^Hidden text/ }).selectOption('escape');
  await until('a clean bar', async () => /secrets masked in 1 file, hidden text written out in/.test(await bar.textContent()));
  equal(await bar.locator('.warn').count(), 0, 'warnings');
  await go(page, '#/preview');
  await ready(page);
  await page.getByLabel('Search the text').fill('[REDACTED:github-pat]');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  clean(page);
  await home.end();
  return since(from);
});

/** Calls a tool as a client of MCP does, and waits for its answer. */
function callTool(home, name, args) {
  const child = spawn(program, ['mcp'], { cwd: home.project, env: home.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'claude-code', version: '2.1' } } });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: { name, arguments: args } });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', () => fail(new Error('the server of MCP ended')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (JSON.parse(line).id !== 2) return;
      child.removeAllListeners('exit');
      child.once('exit', done);
      child.stdin.end();
    });
  });
}

test('an agent asked, I check: its build appears with who asked and for what, and is compared with mine', async (browser) => {
  const home = await (await fixture(new Home())).serve();
  await home.ask('preset/save', { name: 'mine', scope: 'project', files: ['src/**'] });
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  await go(page, '#/runs');
  const rows = page.getByRole('region', { name: 'List of runs' }).locator('tbody tr');
  const before = await rows.count();
  await callTool(home, 'build', { budget: 4000, query: 'parse rows' });
  await until('the run of the agent', async () => (await rows.count()) === before + 1);
  const from = performance.now();
  await rows.first().getByRole('link').click();
  const run = page.getByRole('region', { name: /^Run \d/ });
  await run.getByText('mcp: claude-code 2.1').waitFor();
  const said = await run.textContent();
  ok(said.includes('parse rows') && said.includes('4,000') && said.includes('src/parse.rs') && said.includes('rank 1 of'), 'arguments, files and reasons');
  await page.getByRole('button', { name: 'With the document now' }).click();
  await run.getByRole('heading', { name: /to the document now$/ }).waitFor();
  ok((await run.getByRole('cell', { name: /added/ }).count()) + (await run.getByRole('cell', { name: /→/ }).count()) > 0, 'what differs');
  await page.getByLabel(/^Compare \d+ with/).selectOption('preset:mine');
  await run.getByRole('heading', { name: /to preset mine$/ }).waitFor();
  ok((await run.textContent()).includes('removed'), 'what the preset has not');
  ok((await command(page)) === 'contexture --preset mine', await command(page));
  clean(page);
  await home.end();
  return since(from);
});

test('what was said of a composition stays said after an edit, but for files that are out', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  const notes = async () => Number((await page.getByTestId('warnings').textContent()).match(/(\d+) note/)?.[1] ?? 0);
  const before = await notes();
  ok(before > 1, `${before} notes`);
  await row(page, 'parse.rs').click();
  await page.keyboard.press('2');
  await ready(page);
  equal(await viewOf(page, 'parse.rs'), 'skeleton');
  equal(await notes(), before, 'after a view');
  await row(page, 'dev.toml').click();
  await page.keyboard.press('x');
  await ready(page);
  equal(await notes(), before - 1, 'without the file with the secret');
  await page.keyboard.press('u');
  await ready(page);
  equal(await notes(), before, 'with it again');
  clean(page);
});
