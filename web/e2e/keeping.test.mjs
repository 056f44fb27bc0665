// What stays: every screen after a reload and in a second tab, as docs/panel.md promises. What is done in one tab is seen in the other.
import { clean, equal, go, ok, open, ready, test, toFile, total, until, viewOf, visit } from './lib.mjs';

const SCREENS = [
  '#/compose?f=*.rs&sort=tokens', '#/compose?budget=6000&query=parse', '#/file/src/parse.rs?v=full,outline', '#/budget?budget=6000', '#/preview?format=json', '#/presets', '#/loom', '#/loom?as=picture', '#/agent?ask=budget&max=3000', '#/runs', '#/runs/1',
  '#/cache?state=none&f=docs', '#/safety', '#/settings', '#/settings/providers', '#/settings/mcp?client=VS+Code', '#/settings/panel', '#/compose?preset=&persona=reviewer',
];

/** What a person sees, but for times that pass and words about what is under way. */
async function seen(page) {
  await ready(page);
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll('.side input, .side select, .side textarea, main input, main select, main textarea')].map((one) => `${one.getAttribute('aria-label') ?? one.closest('label')?.firstElementChild?.innerText ?? ''}=${one.type === 'checkbox' ? one.checked : one.value}`);
    // Which row is looked at is nobody's to keep.
    const inspected = document.querySelector('[aria-label=Inspector]')?.innerText ?? '';
    return { hash: location.hash, main: document.querySelector('main').innerText.replace(inspected, ''), total: document.querySelector('[data-testid=total]').innerText, fields };
  });
}

test('every screen is the same after a reload and in a second tab', async (browser) => {
  const { context, page } = await visit(browser);
  await toFile(page, 'lex.rs');
  await page.keyboard.press('3');
  await ready(page);
  const other = await open(context);
  for (const hash of SCREENS) {
    await go(page, hash);
    const before = await seen(page);
    await page.reload();
    equal(await seen(page), before, `reload of ${hash}`);
    await go(other, hash);
    equal(await seen(other), before, `second tab on ${hash}`);
  }
  clean(page);
  clean(other);
  return `${SCREENS.length} addresses`;
});

test('back and forward walk through what was chosen', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  await page.keyboard.press('b');
  await page.getByRole('slider', { name: 'Budget' }).fill('4000');
  await page.waitForURL(/budget=4000/);
  const small = await total(page);
  await page.keyboard.press('p');
  await page.getByRole('heading', { name: 'Preview' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Budget', exact: true }).waitFor();
  equal(await total(page), small);
  await page.goBack();
  await until('no budget', async () => (await total(page)) > small);
  await page.goForward();
  await until('the budget again', async () => (await total(page)) === small);
  clean(page);
});

test('what is edited, undone and taken back in one tab is so in the other', async (browser) => {
  const { context, page } = await visit(browser);
  await toFile(page, 'parse.rs');
  const before = await total(page);
  const other = await open(context);
  await toFile(other, 'parse.rs');
  await page.keyboard.press('2');
  await until('the view', async () => (await viewOf(other, 'parse.rs')) === 'skeleton');
  equal(await total(other), await total(page), 'edited');
  await page.keyboard.press('u');
  await until('the view by itself', async () => (await viewOf(other, 'parse.rs')) === 'full');
  equal(await total(other), before, 'undone');
  await other.keyboard.press('x');
  await until('left out', async () => (await viewOf(page, 'parse.rs')) === 'out');
  await other.getByRole('button', { name: 'Take all back' }).click();
  await until('taken back', async () => (await viewOf(page, 'parse.rs')) === 'full');
  equal([await total(page), await total(other)], [before, before]);
  equal(await page.getByText('set by hand here').count(), 0);
  clean(page);
  clean(other);
});

test('an edit of a file that is not in the list for a while is there when it comes back', async (browser) => {
  const { context, page } = await visit(browser);
  await toFile(page, 'lex.rs');
  await page.keyboard.press('3');
  await ready(page);
  await go(page, '#/compose?exclude=src/**');
  await until('the folder is away', async () => (await page.locator('.nm').allTextContents()).every((name) => name !== 'src'));
  await go(page, '#/compose?exclude=src/**&f=page_3.md');
  await ready(page);
  await toPage(page);
  await page.keyboard.press('x');
  await until('kept', () => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('page_3.md') && text.includes('lex.rs'))));
  // Another tab with the whole list sees both, and so does this one.
  const other = await open(context);
  await go(other, '#/compose?f=lex.rs');
  await ready(other);
  equal(await viewOf(other, 'lex.rs'), 'outline', 'the second tab');
  await go(page, '#/compose?f=lex.rs');
  await until('it is back', async () => (await page.locator('.nm').allTextContents()).includes('lex.rs'));
  await ready(page);
  equal(await viewOf(page, 'lex.rs'), 'outline', 'the first tab');
  // To take all back is to take this one back as well, also while it is away; and so is to undo that.
  await go(page, '#/compose?exclude=src/**');
  await ready(page);
  await page.getByRole('button', { name: 'Take all back' }).click();
  await until('nothing is kept', () => page.evaluate(() => Object.values(localStorage).every((text) => !text.includes('lex.rs'))));
  await page.keyboard.press('u');
  await until('kept again', () => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('page_3.md') && text.includes('lex.rs'))));
  clean(page);
  clean(other);
});

/** Puts the keyboard on the last row of what the filter left. */
async function toPage(page) {
  await page.keyboard.press('/');
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
}

test('projects whose folders have the same name keep their edits apart', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  let id = 'one';
  await page.route('**/api/project', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), id } });
  });
  await page.reload();
  await toFile(page, 'lex.rs');
  await page.keyboard.press('3');
  await until('kept', () => page.evaluate(() => localStorage.getItem('contexture.edits:one') !== null));
  id = 'two';
  await page.reload();
  await toFile(page, 'lex.rs');
  equal(await viewOf(page, 'lex.rs'), 'full', 'the other project');
  id = 'one';
  await page.reload();
  await toFile(page, 'lex.rs');
  equal(await viewOf(page, 'lex.rs'), 'outline', 'the first project');
  clean(page);
});

test('a node that is written in one tab appears in the other', async (browser) => {
  const { context, page } = await visit(browser);
  await go(page, '#/loom');
  await page.getByRole('button', { name: 'New tree' }).click();
  await page.getByLabel('Title').fill('Two tabs');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The tree is empty').waitFor();
  const other = await open(context);
  await go(other, new URL(page.url()).hash);
  await page.getByRole('button', { name: 'Write the first node' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('From here to there');
  await page.getByRole('button', { name: 'Save' }).click();
  await other.locator('.loomrow', { hasText: 'From here to there' }).waitFor();
  ok((await other.getByTestId('path-tokens').textContent()) !== '0', 'tokens');
  clean(page);
  clean(other);
});
