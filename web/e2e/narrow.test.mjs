// On a phone: everything is within reach, nothing runs off the side, and the total is always seen.
import { clean, command, go, ok, quiet, ready, test, total, until, visit } from './lib.mjs';

const PHONE = { viewport: { width: 390, height: 844 } };
const SCREENS = ['#/compose', '#/file/src/parse.rs', '#/budget?budget=6000', '#/preview', '#/presets', '#/loom', '#/loom?as=picture', '#/agent?ask=budget', '#/runs', '#/runs/1', '#/cache', '#/safety', '#/settings', '#/settings/providers', '#/settings/doctor', '#/settings/mcp', '#/settings/panel'];

/** Controls that somebody should reach and cannot: outside of the window, with nothing to scroll them into it. */
function outside() {
  const found = [];
  for (const one of document.querySelectorAll('main button, main a, main input, main select, main textarea, .bar button, .side a, header button')) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height || (box.left >= -1 && box.right <= innerWidth + 1)) continue;
    let above = one.parentElement;
    while (above && !['auto', 'scroll'].includes(getComputedStyle(above).overflowX)) above = above.parentElement;
    if (!above || above === document.body) found.push(`${one.textContent.trim() || one.getAttribute('aria-label')} at ${Math.round(box.left)}–${Math.round(box.right)}`);
  }
  return found;
}

test('no screen runs off the side of a phone', async (browser) => {
  const { page } = await visit(browser, PHONE);
  await ready(page);
  for (const hash of SCREENS) {
    await go(page, hash);
    await ready(page);
    const [wide, lost] = await page.evaluate(`[document.documentElement.scrollWidth, (${outside})()]`);
    ok(wide <= 390, `${hash} is ${wide} wide`);
    ok(!lost.length, `${hash}: ${lost.join('; ')}`);
    const seen = await page.locator('[data-testid=total]').boundingBox();
    ok(seen && seen.x >= 0 && seen.x + seen.width <= 390 && seen.width > 60, `${hash}: the total is cut`);
  }
  clean(page);
});

test('on a phone, the document is set up where it is named', async (browser) => {
  const { page } = await visit(browser, PHONE);
  const before = await total(page);
  const open = page.getByRole('button', { name: /^Document/ });
  ok((await open.textContent()).includes('no budget'), await open.textContent());
  await open.click();
  await page.getByLabel('Budget in tokens').fill('3000');
  await until('a smaller total', async () => (await total(page)) < before);
  ok((await open.textContent()).includes('3,000 tokens'), await open.textContent());
  await open.click();
  ok(!(await page.getByLabel('Budget in tokens').isVisible()), 'it closes again');
  clean(page);
});

test('on a phone, what stands beside a screen stands below it', async (browser) => {
  const { page } = await visit(browser, PHONE);
  await ready(page);
  await go(page, '#/file/src/parse.rs');
  await page.getByRole('group', { name: /How add_0 is shown/ }).getByRole('button', { name: 'sig' }).click();
  await quiet(page);
  ok((await command(page)).includes('--mask add_0=sig'), await command(page));
  await go(page, '#/loom');
  await page.getByRole('complementary', { name: 'Node' }).getByRole('button', { name: 'Fork' }).waitFor();
  await go(page, '#/preview');
  await ready(page);
  await page.getByRole('list', { name: 'Sections' }).getByRole('button').first().click();
  clean(page);
});
