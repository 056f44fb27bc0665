// Every screen by keyboard alone: Tab reaches every control, nothing holds it, and where it is can be seen.
import { clean, equal, go, ok, quiet, ready, test, visit } from './lib.mjs';

const SCREENS = ['#/compose', '#/file/src/parse.rs', '#/budget?budget=6000', '#/preview', '#/presets', '#/loom', '#/loom?as=picture', '#/agent?ask=budget', '#/runs', '#/runs/1', '#/cache', '#/safety', '#/settings', '#/settings/providers', '#/settings/doctor', '#/settings/mcp', '#/settings/panel'];

/** Runs in the page: what Tab should reach, and a listener that notes what it does reach and how that looks. */
function prepare() {
  const said = (one) => (one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? '').trim().replace(/\s+/g, ' ').slice(0, 30) || one.className;
  const box = document.querySelector('dialog[open]') ?? document;
  const all = [...box.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter((one) => {
    const rect = one.getBoundingClientRect();
    if (one.tabIndex < 0 || one.disabled || !one.checkVisibility({ visibilityProperty: true }) || rect.width * rect.height === 0) return false;
    // Of radio buttons, one is reached; arrows do the rest.
    return one.type !== 'radio' || one.checked || !document.querySelector(`input[name="${one.name}"]:checked`);
  });
  const reached = new Set();
  const hidden = [];
  window.__tabs = { wanted: all.length, missed: () => all.filter((one) => one.isConnected && !reached.has(one)).map((one) => `${one.tagName} ${said(one)}`), hidden, again: 0 };
  document.activeElement?.blur?.();
  window.getSelection()?.removeAllRanges();
  document.addEventListener('focusin', ({ target }) => {
    if (reached.has(target)) window.__tabs.again++;
    reached.add(target);
    const look = getComputedStyle(target);
    const rect = target.getBoundingClientRect();
    const isDrawn = (look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 1) || look.boxShadow !== 'none';
    const isInSight = rect.bottom > 0 && rect.top < innerHeight && rect.right > 0 && rect.left < innerWidth;
    if (!isDrawn || !isInSight) hidden.push(`${target.tagName} ${said(target)}: ${isDrawn ? 'out of sight' : 'no mark'}`);
  });
}

async function tabThrough(page, where) {
  await page.evaluate(prepare);
  const wanted = await page.evaluate(() => window.__tabs.wanted);
  for (let times = 0; times < wanted + 6; times++) await page.keyboard.press('Tab');
  // Screens that scroll give the browser stops of its own: a few presses more may be needed.
  for (let times = 0; times < 20 && (await page.evaluate(() => window.__tabs.missed().length)); times++) await page.keyboard.press('Tab');
  const { missed, hidden } = await page.evaluate(() => ({ missed: window.__tabs.missed(), hidden: window.__tabs.hidden }));
  equal(missed, [], `not reached on ${where}`);
  equal([...new Set(hidden)], [], `focus not seen on ${where}`);
  const before = await page.evaluate(() => window.__tabs.again);
  for (let times = 0; times < 6; times++) await page.keyboard.press('Tab');
  ok((await page.evaluate(() => window.__tabs.again)) > before, `the focus is held on ${where}`);
  return wanted;
}

for (const colorScheme of ['light', 'dark']) {
  test(`Tab reaches every control of every screen and shows where it is, ${colorScheme}`, async (browser) => {
    const { context, page } = await visit(browser, { colorScheme });
    await ready(page);
    // Order and reach are the same in both themes; of the dark one, the marks are looked at on a share of the screens.
    const screens = colorScheme === 'light' ? SCREENS : SCREENS.filter((_, at) => at % 3 === 0);
    let stops = 0;
    for (const hash of screens) {
      await go(page, hash);
      await ready(page);
      stops += await tabThrough(page, hash);
    }
    clean(page);
    await context.close();
    return `${stops} stops on ${screens.length} screens`;
  });
}

test('dialogs keep the focus inside, close by Escape, and give it back', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  const opened = [
    ['#/compose', 'Save as preset'], ['#/compose', 'Clear summary cache'], ['#/compose', 'Send…'], ['#/compose', 'Keys and help'], ['#/cache', 'Clear all'], ['#/loom', 'New tree'], ['#/loom', 'Reply'], ['#/loom', 'Generate…'], ['#/loom', 'Context of this path'], ['#/safety', 'Allow…'],
  ];
  for (const [hash, name] of opened) {
    await go(page, hash);
    const button = page.getByRole('button', { name }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    ok(await page.evaluate(() => document.activeElement?.closest('dialog') !== null), `${name}: the focus goes in`);
    for (let times = 0; times < 25; times++) {
      await page.keyboard.press('Tab');
      const where = await page.evaluate(() => (document.activeElement === document.body ? 'browser' : document.activeElement?.closest('dialog') ? 'in' : document.activeElement.outerHTML.slice(0, 80)));
      ok(where !== 'in' || where !== 'browser', `${name}: ${where}`);
      ok(where === 'in' || where === 'browser', `${name}: the focus is behind the dialog, at ${where}`);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    equal(await button.evaluate((one) => one === document.activeElement), true, `${name}: the focus comes back`);
  }
  clean(page);
  return `${opened.length} dialogs`;
});

test('every screen is reached by the palette, and the first bug fix by keys alone', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  for (const name of ['Budget', 'Preview', 'Presets', 'Loom', 'Agent', 'Runs', 'Cache', 'Safety', 'Settings', 'Compose']) {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(`go to ${name}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) }).waitFor();
    await quiet(page);
  }
  // Filter, two files in full, the budget, and the text on the clipboard.
  await page.keyboard.press('/');
  await page.keyboard.type('.rs');
  await quiet(page);
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('1');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('1');
  await ready(page);
  await page.getByText('2 files set by hand here').waitFor();
  await page.keyboard.press('y');
  await page.getByText('Copied the document.').waitFor();
  clean(page);
});
