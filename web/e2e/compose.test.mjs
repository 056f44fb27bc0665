// Compose as a person uses it: keyboard and mouse, undo, filter, several at once, reload.
import { clean, command, equal, go, ok, quiet, ready, row, test, toFile, total, viewOf, visit } from './lib.mjs';

test('shows the tree with roles, levels and counts', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  const grid = page.getByRole('treegrid', { name: 'Files' });
  await grid.waitFor();
  ok((await grid.getByRole('row').count()) > 5, 'rows');
  equal(await row(page, 'docs').getAttribute('aria-expanded'), 'true');
  ok((await total(page)) > 1000, 'a total');
  clean(page);
});

test('space leaves a file out and u brings it back', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const before = await total(page);
  await page.keyboard.press('Space');
  const after = await total(page);
  ok(after < before, `${after} is less than ${before}`);
  equal(await row(page, 'parse.rs').getByRole('checkbox').getAttribute('aria-checked'), 'false');
  ok((await command(page)).includes('auto_aggregate = false'), 'the command says so');
  await page.keyboard.press('u');
  equal(await total(page), before, 'back to the same total');
  clean(page);
});

test('digits set views, 0 takes them back, the total follows', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const before = await total(page);
  await page.keyboard.press('2');
  await ready(page);
  equal(await viewOf(page, 'parse.rs'), 'skeleton');
  ok((await total(page)) < before, 'a skeleton is smaller');
  ok((await command(page)).includes('view_mode = "skeleton"'), 'the command names the view');
  await page.keyboard.press('0');
  equal(await total(page), before);
  clean(page);
});

test('a folder toggles all of its files, and shows when only some are in', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  const docs = row(page, 'docs').getByRole('checkbox');
  await docs.click();
  await ready(page);
  equal(await docs.getAttribute('aria-checked'), 'false');
  await row(page, 'page_3.md').getByRole('checkbox').click();
  await ready(page);
  equal(await docs.getAttribute('aria-checked'), 'mixed');
  clean(page);
});

test('several files at once get a view', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await row(page, 'page_1.md').click();
  await row(page, 'page_3.md').click({ modifiers: ['Shift'] });
  await page.keyboard.press('4');
  await ready(page);
  for (const name of ['page_1.md', 'page_10.md', 'page_3.md']) equal(await viewOf(page, name), 'summary', name);
  clean(page);
});

test('the filter finds, says how many, and names what it does not know', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.keyboard.press('/');
  await page.keyboard.type('*.rs changed');
  await quiet(page);
  equal(await page.locator('.nm').allTextContents(), ['src', 'lex.rs']);
  ok(page.url().includes('f=*.rs'), 'the filter is in the address');
  await page.keyboard.type(' nonsense:x');
  await page.getByText('unknown: nonsense:x').waitFor();
  clean(page);
});

test('arrows walk, close and open', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  const active = () => page.evaluate(() => document.getElementById(document.querySelector('[role=treegrid]').getAttribute('aria-activedescendant'))?.querySelector('.nm')?.textContent);
  const first = await active();
  equal(await row(page, first).getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('ArrowRight');
  equal(await row(page, first).getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('ArrowRight');
  ok((await active()) !== first, 'into the folder');
  await page.keyboard.press('ArrowLeft');
  equal(await active(), first, 'back to the folder');
  await page.keyboard.press(']');
  ok((await active()) !== first, 'to the sibling');
  await page.keyboard.press('[');
  equal(await active(), first);
  clean(page);
});

test('edits survive a reload', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'lex.rs');
  await page.keyboard.press('3');
  const before = await total(page);
  await page.reload();
  await ready(page);
  await page.getByText('set by hand here').waitFor();
  equal(await total(page), before);
  clean(page);
});

test('a hundred steps go back to the beginning', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'page_5.md');
  const before = await total(page);
  for (let step = 0; step < 100; step++) await page.keyboard.press(step % 2 ? '1' : '4');
  await ready(page);
  for (let step = 0; step < 100; step++) await page.keyboard.press('u');
  equal(await total(page), before);
  equal(await page.getByText('set by hand here').count(), 0);
  clean(page);
});

test('sorting by tokens puts the largest first and is in the address', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.getByRole('columnheader', { name: /Tokens/ }).getByRole('button').click();
  ok(page.url().includes('sort=tokens'), 'address');
  const figures = await page.evaluate(() => [...document.querySelectorAll('[role=row][aria-level="1"]')].map((one) => [one.getBoundingClientRect().top, Number(one.querySelector('.cell.num').textContent.replace(/\D/g, '') || 0)]).sort((a, b) => a[0] - b[0]).map((one) => one[1]));
  equal(figures, [...figures].sort((a, b) => b - a));
  clean(page);
});

test('the inspector says why', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByText('Why').waitFor();
  ok((await inspector.textContent()).includes('parse.rs'), 'the file');
  await go(page, '#/compose');
  clean(page);
});
