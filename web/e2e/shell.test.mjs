// The frame: palette, help, theme, two tabs, a lost server, an unknown workbench, errors.
import { clean, command, equal, go, ok, open, quiet, ready, test, toFile, total, until, visit } from './lib.mjs';

test('help and palette open by key, close by Escape, and give the focus back', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  equal(await page.getByRole('dialog').count(), 0);
  equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'treegrid');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('go to runs');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('lex.rs');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'src/lex.rs' }).waitFor();
  clean(page);
});

test('letters can be turned off', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/settings/panel');
  await page.getByLabel('Single letters and digits act as keys').uncheck();
  await page.locator('body').click({ position: { x: 700, y: 600 } });
  await page.keyboard.press('p');
  // A key that always works, pressed after the letter: once it has acted, the letter had its turn.
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  ok(page.url().includes('settings'), 'the letter did nothing');
  clean(page);
});

test('theme follows the system and can be set', async (browser) => {
  const { page } = await visit(browser, { colorScheme: 'dark' });
  await ready(page);
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await colour();
  await page.getByRole('button', { name: /Theme: auto/ }).click();
  ok((await colour()) !== dark, 'light now');
  await page.reload();
  await ready(page);
  ok((await colour()) !== dark, 'and still after a reload');
  clean(page);
});

test('two tabs stay together', async (browser) => {
  const { context, page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const other = await open(context);
  await ready(other);
  const before = await total(other);
  await page.keyboard.press('2');
  await ready(page);
  await other.getByText('set by hand here').waitFor();
  equal(await total(other), await total(page), 'the same total');
  ok((await total(other)) < before, 'changed');
  clean(page);
  clean(other);
});

test('a lost server: a banner, edits are kept, and sent on return', async (browser) => {
  const { context, page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const before = await total(page);
  await context.setOffline(true);
  // Under load a single key was once without effect, so it is pressed until the edit is seen.
  await until('the edit is seen', async () => {
    await page.keyboard.press('2');
    return (await page.locator('[role=row] .view.skeleton').count()) > 0;
  });
  await page.getByText('The server does not answer.', { exact: true }).waitFor();
  await context.setOffline(false);
  await page.getByText('The server does not answer.', { exact: true }).waitFor({ state: 'detached', timeout: 15_000 });
  ok((await total(page)) < before, 'the edit has arrived');
  clean(page);
});

test('a server that forgot the workbench gets it again', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const before = await total(page);
  let isGone = true;
  await page.route('**/api/compose/set', (route) => {
    if (!isGone) return route.continue();
    isGone = false;
    return route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify({ v: 1, error: { code: 6, kind: 'gone', message: 'this bench is not known any more', hints: [] } }) });
  });
  await page.keyboard.press('2');
  await until('the server was asked again', () => !isGone);
  ok((await total(page)) < before, 'the edit has arrived');
  clean(page);
});

test('what the server refuses is said in its words and taken back', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const before = await total(page);
  let isFirst = true;
  await page.route('**/api/compose/set', (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    return route.fulfill({ status: 422, contentType: 'application/json', body: JSON.stringify({ v: 1, error: { code: 3, kind: 'budget', message: 'does not fit: <b>5,000</b> of 4,000', hints: ['`--budget 5000` would do'] } }) });
  });
  await page.keyboard.press('1');
  await page.getByText('does not fit: <b>5,000</b> of 4,000').waitFor();
  await page.getByText('`--budget 5000` would do').waitFor();
  equal(await total(page), before);
  clean(page);
});

test('older edits that do not go with a new budget wait for the person', async (browser) => {
  const { page } = await visit(browser);
  await toFile(page, 'parse.rs');
  await page.keyboard.press('1');
  await ready(page);
  await toFile(page, 'lex.rs');
  await page.keyboard.press('2');
  await ready(page);
  let refuses = true;
  await page.route('**/api/compose/set', (route) => (refuses ? route.fulfill({ status: 422, contentType: 'application/json', body: JSON.stringify({ v: 1, error: { code: 3, kind: 'budget', message: 'does not fit', hints: ['`--budget 9000` would do'] } }) }) : route.continue()));
  await page.getByLabel('Budget in tokens').fill('3000');
  await page.getByText(/do not go with this document: does not fit/).waitFor();
  refuses = false;
  await page.getByRole('button', { name: 'Take all edits back' }).click();
  await page.getByText(/do not go with this document/).waitFor({ state: 'detached' });
  equal(await page.getByText('set by hand here').count(), 0);
  clean(page);
});

test('settings of the document live in the address and survive a reload', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.getByLabel('Budget in tokens').fill('5000');
  await page.waitForURL(/budget=5000/);
  equal(await command(page), 'contexture --budget 5000');
  await go(page, '#/compose?budget=6000');
  equal(await command(page), 'contexture --budget 6000', 'the command follows the address');
  await go(page, '#/compose?budget=5000');
  ok((await total(page)) <= 5000, 'fits');
  await page.reload();
  await ready(page);
  equal(await page.getByLabel('Budget in tokens').inputValue(), '5000');
  clean(page);
});

test('send streams an answer as text', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.route('**/api/send', (route) => route.fulfill({
    status: 200, contentType: 'application/x-ndjson',
    body: `${[{ v: 1, event: 'text', text: 'Half ' }, { v: 1, event: 'text', text: '<img src=x onerror=window.__xss=1>' }, { v: 1, event: 'done', answer: 'Half <img src=x onerror=window.__xss=1>', usage: { input: 5, output: 2, cached: 0 }, cost: 0.01, run: 3 }].map((one) => JSON.stringify(one)).join('\n')}\n`,
  }));
  await page.getByRole('button', { name: 'Send…' }).click();
  await page.getByLabel('Question', { exact: true }).fill('Why?');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('Half <img src=x onerror=window.__xss=1>').waitFor();
  await page.getByText(/run 3/).waitFor();
  equal(await page.evaluate(() => window.__xss), undefined);
  clean(page);
});

test('a window that asks for something begins there', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.getByRole('button', { name: 'Save as preset' }).click();
  await page.keyboard.type('typed');
  equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'typed');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send…' }).click();
  await page.keyboard.type('Why?');
  equal(await page.getByRole('dialog').getByLabel('Question').inputValue(), 'Why?');
  clean(page);
});
