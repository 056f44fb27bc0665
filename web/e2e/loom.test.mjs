// Loom: a tree made from nothing, walked by keyboard, forked, excluded, pruned, compared.
import { clean, command, equal, go, ok, quiet, test, visit } from './lib.mjs';

async function write(page, button, text, as) {
  await page.getByRole('button', { name: button }).first().click();
  if (as) await page.getByLabel('Said by').selectOption(as);
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await quiet(page);
}

async function made(browser) {
  const { page, context } = await visit(browser);
  await go(page, '#/loom');
  await page.getByRole('button', { name: 'New tree' }).first().click();
  await page.getByLabel('Title').fill(`Test ${Date.now()} <img src=x onerror=window.__xss=1>`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The tree is empty').waitFor();
  await write(page, 'Write the first node', 'The first question <script>window.__xss=1</script>', 'human');
  await write(page, 'Reply', 'A first answer', 'model');
  await page.getByRole('tree').focus();
  await page.keyboard.press('ArrowLeft');
  await write(page, 'Reply', 'A second answer that is longer than the first one', 'model');
  return { page, context };
}
const active = (page) => page.evaluate(() => document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant'))?.querySelector('.said')?.textContent);

test('arrows go to parent, child and sibling', async (browser) => {
  const { page } = await made(browser);
  await page.getByRole('tree').focus();
  const here = await active(page);
  await page.keyboard.press('ArrowLeft');
  ok((await active(page)).startsWith('The first question'), 'parent');
  await page.keyboard.press('ArrowRight');
  equal(await active(page), here, 'the child last visited');
  await page.keyboard.press('[');
  const other = await active(page);
  ok(other !== here && other.includes('answer'), 'sibling');
  await page.keyboard.press(']');
  equal(await active(page), here);
  equal(await page.evaluate(() => window.__xss), undefined);
  clean(page);
});

test('x excludes with tokens saved, and takes in again', async (browser) => {
  const { page } = await made(browser);
  const path = async () => Number((await page.getByTestId('path-tokens').textContent()).replace(/\D/g, ''));
  await page.getByRole('tree').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await quiet(page);
  const before = await path();
  await page.keyboard.press('x');
  await page.locator('.loomrow.excluded').waitFor();
  ok(/excluded, saves \d/.test(await page.locator('.loomrow.excluded').textContent()), 'saved');
  ok((await path()) < before, 'the path is shorter');
  ok((await command(page)).includes('loom exclude'), 'command');
  await page.keyboard.press('x');
  await page.locator('.loomrow.excluded').waitFor({ state: 'detached' });
  equal(await path(), before);
  clean(page);
});

test('pin, bookmark, annotate, edit and fork', async (browser) => {
  const { page } = await made(browser);
  await page.getByRole('tree').focus();
  await page.keyboard.press('.');
  await page.locator('.badge', { hasText: 'pinned' }).waitFor();
  await page.keyboard.press('m');
  await page.getByLabel(/What the mark says/).fill('here');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.badge', { hasText: 'here' }).waitFor();
  await page.getByRole('tree').focus();
  await page.keyboard.press('a');
  await page.getByRole('textbox', { name: 'Text' }).fill('a remark');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.loomrow.note').waitFor();
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'Text' }).fill('Another first question');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.badge', { hasText: 'edited' }).waitFor();
  await page.getByRole('tree').focus();
  await page.keyboard.press('f');
  await quiet(page);
  ok((await command(page)).includes('loom fork'), 'command');
  clean(page);
});

test('hoist shows one branch, compare shows siblings, context shows messages', async (browser) => {
  const { page } = await made(browser);
  await page.getByRole('tree').focus();
  await page.keyboard.press('h');
  equal(await page.getByRole('treeitem').count(), 1);
  await page.keyboard.press('h');
  equal(await page.getByRole('treeitem').count(), 3);
  await page.keyboard.press('v');
  await page.getByRole('dialog', { name: 'Compare 2 nodes' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Context of this path' }).click();
  await page.getByRole('dialog').getByText('user', { exact: true }).waitFor();
  equal(await page.evaluate(() => window.__xss), undefined);
  clean(page);
});

test('prune can be taken back, and the picture draws the tree', async (browser) => {
  const { page } = await made(browser);
  await page.getByRole('tree').focus();
  await page.keyboard.press('Delete');
  await page.getByText(/^Pruned/).waitFor();
  await page.locator('.loomrow.pruned').waitFor();
  await page.getByRole('tree').focus();
  await page.keyboard.press('Delete');
  await page.locator('.loomrow.pruned').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Picture' }).click();
  ok((await page.locator('.loompic circle, .loompic rect').count()) >= 2, 'picture');
  clean(page);
});

test('the picture is walked by the keyboard, and says where it is', async (browser) => {
  const { page } = await made(browser);
  await page.getByRole('button', { name: 'Picture' }).click();
  const picture = page.getByRole('region', { name: /^Picture of the branches/ });
  await picture.focus();
  const here = () => picture.locator('[aria-current=true]').getAttribute('aria-label');
  ok((await here()).includes('A second answer'), await here());
  await page.keyboard.press('ArrowLeft');
  ok(/The first question.* tokens, 2 branches/.test(await here()), await here());
  ok((await page.locator('[role=status].sr').textContent()).includes('The first question'), 'it is said');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('[');
  ok((await here()).includes('A first answer'), await here());
  // The ends of branches have their words beside them.
  ok((await picture.locator('text.last').allTextContents()).some((text) => text.includes('A first answer')), 'words');
  clean(page);
});
