// File, Preview and Budget.
import { clean, command, equal, go, ok, quiet, ready, test, toFile, total, visit } from './lib.mjs';
import { put } from './fixture.mjs';
import { Home } from './program.mjs';

test('a file shows its views side by side with differences', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'parse.rs');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'View skeleton', exact: true }).waitFor();
  ok(/−[\d,]+, \d+%/.test(await page.getByRole('group', { name: 'Views side by side' }).textContent()), 'differences');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  ok((await page.locator('section.pane').count()) >= 7, 'all views');
  clean(page);
});

test('a file is shown while a task is set', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/file/src/parse.rs?query=parse');
  await page.getByRole('region', { name: 'View skeleton', exact: true }).waitFor();
  clean(page);
});

test('symbols make a mask, and the mask goes to the document', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/file/src/parse.rs');
  await page.getByRole('group', { name: 'How add_3 is shown' }).getByRole('button', { name: 'def' }).click();
  await page.getByRole('region', { name: 'View masked' }).first().waitFor();
  ok((await command(page)).includes('--mask add_3=def'), 'command');
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  ok((await command(page)).includes('ast_mask = { add_3 = "def" }'), 'composition');
  clean(page);
});

test('dragging over lines makes a slice with tag and comment', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/file/src/parse.rs');
  const full = page.locator('section[aria-label="View full"]');
  await full.locator('.ln').filter({ hasText: /^4$/ }).waitFor();
  const from = await full.locator('.ln').filter({ hasText: /^4$/ }).boundingBox();
  const to = await full.locator('.ln').filter({ hasText: /^8$/ }).boundingBox();
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 8 });
  await page.mouse.up();
  await page.getByText('Lines 4 to 8').waitFor();
  await page.getByLabel('Tag').fill('core');
  await page.getByLabel('Comment').fill('look here');
  await page.getByRole('button', { name: 'Make slice' }).click();
  await page.getByText('exact', { exact: true }).waitFor();
  ok((await command(page)).startsWith('contexture slice make src/parse.rs 4-8 --tag core'), 'command');
  await page.getByRole('button', { name: 'Use in the document' }).click();
  await quiet(page);
  ok((await page.evaluate(() => JSON.stringify(localStorage))).includes('custom'), 'kept');
  ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes('let more'), 'no lines of files are kept');
  clean(page);
});

test('a slice by keyboard', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/file/src/parse.rs');
  await page.getByRole('region', { name: /Full text/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('Lines 2 to 3').waitFor();
  clean(page);
});

test('preview shows the exact text, and copy gives just that', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/preview');
  await page.getByRole('region', { name: 'The exact text' }).waitFor();
  const answer = await page.evaluate(async () => (await (await fetch('/api/preview', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"request":{}}' })).json()).text);
  await page.locator('.toolbar').getByRole('button', { name: 'Copy' }).click();
  await page.getByText(/^Copied/).first().waitFor();
  ok((await page.evaluate(() => navigator.clipboard.readText())) === answer, 'byte for byte');
  clean(page);
});

test('preview draws hidden characters, searches, and lists sections', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/preview');
  await page.getByRole('region', { name: 'The exact text' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('tagged');
  await page.getByText('1 of 1').waitFor();
  await page.locator('.u', { hasText: '<U+202E>' }).first().waitFor();
  equal(await page.locator('.u').allTextContents(), ['<U+202E>', '<U+200B>', '<U+E0041>']);
  ok((await page.getByRole('tabpanel').getByRole('button').count()) > 5, 'sections');
  clean(page);
});

test('preview in another format', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/preview?format=messages');
  await page.getByRole('region', { name: 'The exact text' }).waitFor();
  ok((await page.locator('.tx').first().textContent()).startsWith('['), 'JSON');
  ok((await command(page)).includes('--format messages'), 'command');
  clean(page);
});

test('y copies from anywhere', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.keyboard.press('y');
  await page.getByText('Copied the document.').waitFor();
  ok((await page.evaluate(() => navigator.clipboard.readText())).length > 1000, 'text');
  clean(page);
});

test('budget: the parts add up, and the slider says what goes first', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.keyboard.press('b');
  const slider = page.getByRole('slider', { name: 'Budget' });
  await slider.waitFor();
  await slider.fill('4000');
  await page.waitForURL(/budget=4000/);
  ok((await total(page)) <= 4000, 'fits');
  const legend = await page.locator('.legend').textContent();
  const sum = Number(legend.match(/sum ([\d,]+)/)[1].replaceAll(',', ''));
  equal(sum, await total(page), 'sum of parts');
  ok((await page.getByRole('region', { name: 'Goes first when the budget shrinks' }).getByRole('link').count()) > 0, 'what goes first');
  ok(page.url().includes('budget=4000'), 'address');
  clean(page);
});

test('budget: click the largest cell, 2 sets skeleton, the total drops, undo works', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/budget');
  await ready(page);
  const cell = page.locator('.map [data-path="src/parse.rs"]');
  await cell.click();
  const before = await total(page);
  await page.keyboard.press('2');
  ok((await total(page)) < before, 'dropped');
  await page.keyboard.press('u');
  equal(await total(page), before);
  clean(page);
});

test('budget: the map opens the folders that hold most, also where many files stand beside them', async (browser) => {
  const home = new Home();
  for (let at = 0; at < 24; at++) put(home.project, `note_${at}.md`, `# Note ${at}\n`);
  for (const crate of ['core', 'gather', 'server', 'lab']) {
    for (let at = 0; at < 120; at++) put(home.project, `crates/${crate}/src/room_${at % 6}/file_${at}.rs`, `pub fn f_${at}() -> usize {\n    ${at}\n}\n`.repeat(6));
  }
  await home.serve();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  await go(page, '#/budget');
  const cells = await page.locator('.map [data-cell]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  const hidden = cells.flatMap((label) => label.match(/^([\d,]+) smaller file/)?.[1] ?? []).reduce((sum, files) => sum + Number(files.replace(',', '')), 0);
  ok(hidden < 480 / 2, `${hidden} of 504 files have no cell of their own`);
  ok(/room_\d|core.src/.test(await page.locator('.map .words').textContent()), 'folders are named by the end of their path');
  clean(page);
  await home.end();
});
