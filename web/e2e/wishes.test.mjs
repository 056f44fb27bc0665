// Cached prefix, changes since the last run, files that are saved, imports as skeletons, trees as files.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clean, equal, go, ok, ready, test, total, visit } from './lib.mjs';

/** The folder that is served; it is on this machine. */
async function root(page) {
  return (await ask(page, 'doctor', {})).checks.find((check) => check.name === 'root').text;
}

async function ask(page, name, body) {
  return page.evaluate(
    async ([to, what]) => (await fetch(`/api/${to}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(what) })).json(),
    [name, body],
  );
}

async function until(page, said, locator) {
  await page.waitForFunction(([text, where]) => new RegExp(text).test(document.querySelector(where)?.textContent ?? ''), [said, locator], { timeout: 20_000 });
}

const prefix = '[data-testid=prefix]';

/** Puts a file's row under the keyboard by way of the address; waits until the filter shows it alone. */
async function toRow(page, name) {
  await go(page, `#/compose?f=${encodeURIComponent(name)}`);
  await ready(page);
  const cell = page.locator('[role=treegrid] [role=row]', { has: page.locator(`.nm:text-is("${name}")`) }).first();
  await cell.waitFor();
  await cell.click();
  await page.locator('[role=treegrid] [role=row].active', { has: page.locator(`.nm:text-is("${name}")`) }).waitFor();
}

test('the bar tells the cached prefix and what a toggle leaves of it', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  const [answer] = await Promise.all([page.waitForResponse(/\/api\/build$/), page.getByRole('button', { name: 'Build', exact: true }).first().click()]);
  const built = await answer.json();
  await until(page, `all kept of run ${built.run}`, prefix);
  await toRow(page, 'parse.rs');
  await page.keyboard.press('2');
  await until(page, `[\\dkM] kept of run ${built.run}`, prefix);
  ok((await page.locator(prefix).getAttribute('title')).includes('src/parse.rs'), 'the title names the file');
  await page.keyboard.press('u');
  await until(page, `all kept of run ${built.run}`, prefix);
  clean(page);
});

test('a file that is saved is read again, and nothing else', async (browser) => {
  const { page } = await visit(browser);
  const file = join(await root(page), 'src/lex.rs');
  const before = readFileSync(file, 'utf8');
  const asked = [];
  page.on('request', (request) => request.url().includes('/api/compose') && asked.push(new URL(request.url()).pathname));
  try {
    const was = await total(page);
    asked.length = 0;
    await page.evaluate(() => performance.clearMarks('refresh-taken'));
    const from = Date.now();
    writeFileSync(file, `${before}\n// One more line that says something.\n`);
    await page.waitForFunction(() => performance.getEntriesByName('refresh-taken').length > 0, null, { timeout: 20_000, polling: 5 });
    const took = Date.now() - from;
    ok((await total(page)) > was, 'the total grew');
    ok(!asked.includes('/api/compose'), `nothing is composed as a whole: ${asked}`);
    clean(page);
    return `${took} ms from the save to the new figures`;
  } finally {
    writeFileSync(file, before);
  }
});

test('a file that comes is in the list', async (browser) => {
  const { page } = await visit(browser);
  const file = join(await root(page), 'src/fresh_one.rs');
  try {
    await toRow(page, 'lex.rs');
    writeFileSync(file, '//! New.\npub fn fresh_one() {}\n');
    await go(page, '#/compose?f=fresh_one.rs');
    await page.locator('.nm:text-is("fresh_one.rs")').waitFor({ timeout: 20_000 });
    clean(page);
  } finally {
    rmSync(file, { force: true });
  }
});

test('changes since the last run, line by line', async (browser) => {
  const { page } = await visit(browser);
  const file = join(await root(page), 'src/lex.rs');
  const before = readFileSync(file, 'utf8');
  try {
    await ready(page);
    const built = await ask(page, 'build', {});
    writeFileSync(file, before.replace('self.at += 1;', 'self.at += 2;'));
    await go(page, '#/preview');
    const toggle = page.getByRole('button', { name: new RegExp(`Changes since run ${built.run}`) });
    await toggle.waitFor({ timeout: 20_000 });
    await toggle.click();
    const lines = page.getByRole('region', { name: `Changes since run ${built.run}` });
    await lines.locator('[data-kind=removed]').first().waitFor();
    ok((await lines.locator('[data-kind=removed] .tx').first().textContent()).includes('self.at += 1;'), 'the line that went');
    ok((await lines.locator('[data-kind=added] .tx').first().textContent()).includes('self.at += 2;'), 'the line that came');
    ok((await lines.locator('.slot.breaks').textContent()).includes('the cached prefix breaks here'), 'the first byte is marked');
    ok((await lines.locator('[data-kind=hunk]').first().textContent()).includes('src/lex.rs'), 'the item is named');
    await page.getByRole('tab', { name: 'To last run' }).click();
    await page.getByText('the content of `src/lex.rs` changed').waitFor();
    // The head of a hunk leads to its place in the text.
    await lines.locator('[data-kind=hunk] button').first().click();
    await page.getByRole('region', { name: 'The exact text' }).getByText('self.at += 2;').waitFor();
    await page.keyboard.press('Shift+D');
    await lines.waitFor();
    clean(page);
  } finally {
    writeFileSync(file, before);
  }
});

test('sections of a preview in a format that is no Markdown', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/preview?format=json');
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('button', { name: /src\/parse\.rs/ }).click();
  await page.getByRole('region', { name: 'The exact text' }).getByText('"path":"src/parse.rs"').first().waitFor();
  clean(page);
});

test('A adds what a file imports as skeletons', async (browser) => {
  const { page } = await visit(browser);
  const folder = await root(page);
  const made = { 'src/wish_user.rs': 'use crate::wish_maker::make_a_wish;\n\npub fn use_a_wish() {\n    make_a_wish();\n}\n', 'src/wish_maker.rs': 'pub fn make_a_wish() {\n    let wish = 1;\n    drop(wish);\n}\n' };
  try {
    await ready(page);
    for (const [path, text] of Object.entries(made)) writeFileSync(join(folder, path), text);
    await toRow(page, 'wish_maker.rs');
    await page.keyboard.press('x');
    await toRow(page, 'wish_user.rs');
    await page.keyboard.press('Shift+A');
    await page.getByText(/Added 1 file that src\/wish_user\.rs refers to/).waitFor({ timeout: 20_000 });
    await until(page, 'path = "src/wish_maker.rs", view_mode = "skeleton"', '.cmd code');
    await toRow(page, 'wish_maker.rs');
    await page.locator('[role=treegrid] [role=row].active .view.skeleton').waitFor();
    clean(page);
  } finally {
    for (const path of Object.keys(made)) rmSync(join(folder, path), { force: true });
  }
});

test('trees are exported and imported', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  const title = `Wish ${Date.now()}`;
  const { tree } = await ask(page, 'loom/new', { title });
  await ask(page, 'loom/add', { tree: tree.local, text: 'hello there' });
  await go(page, `#/loom/${tree.local}`);
  await page.getByRole('button', { name: 'Export…' }).click();
  await page.getByRole('radio', { name: /contexture/ }).check();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = await (await waiting).path();
  ok(readFileSync(saved, 'utf8').includes('hello there'), 'the file holds the node');
  await until(page, 'loom export', '.cmd code');
  const file = { name: 'wish.json', mimeType: 'application/json', buffer: readFileSync(saved) };
  await page.getByLabel('File with trees').setInputFiles(file);
  await page.getByRole('button', { name: 'Import a copy' }).click();
  await page.getByText(/Imported 1 tree with 1 node \(contexture\)/).waitFor();
  await until(page, 'loom import --copy wish.json', '.cmd code');
  const all = (await ask(page, 'loom/trees', {})).trees.filter((one) => one.title === title);
  equal(all.length, 2, 'both are there');
  // Dropped on the screen, it is taken as well; what is no tree is refused in words.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['no tree at all'], 'junk.json'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  });
  await page.locator('.toast.error').first().waitFor();
  clean(page);
});
