// Names, contents, notes and nodes full of markup on every screen: nothing runs, nothing is fetched from elsewhere.
import { clean, equal, go, ok, ready, test, visit } from './lib.mjs';

const SCREENS = ['#/compose?f=names', '#/preview', '#/budget', '#/presets', '#/loom', '#/loom?as=picture', '#/agent?ask=%3Cimg+src%3Dx+onerror%3Dwindow.__xss%3D1%3E', '#/runs', '#/cache', '#/safety', '#/settings', '#/file/notes/payloads.md?v=full,summary,outline'];

test('payloads do nothing on any screen', async (browser) => {
  const { page } = await visit(browser);
  await ready(page);
  for (const hash of SCREENS) {
    await go(page, hash);
    await page.waitForTimeout(900);
  }
  await go(page, '#/compose?f=names');
  await page.waitForTimeout(300);
  const names = await page.locator('.nm').allTextContents();
  ok(names.some((name) => name.includes('<img src=x onerror=window.__xss=1>')), 'the name is shown as text');
  equal(await page.evaluate(() => window.__xss), undefined, 'ran');
  equal(await page.evaluate(() => document.querySelectorAll('main img, main iframe, main script, main object, main embed, main video, main audio').length), 0, 'foreign elements');
  clean(page);
});

test('a thousand payloads scrolled through in the preview', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/file/notes/payloads.md?v=full');
  const text = page.getByRole('region', { name: /Full text/ });
  await text.waitFor();
  for (let times = 0; times < 30; times++) await text.evaluate((box) => (box.scrollTop += 700));
  equal(await page.evaluate(() => window.__xss), undefined, 'ran');
  clean(page);
});

test('payloads in answers of the server and in the address', async (browser) => {
  const { page } = await visit(browser);
  await page.route('**/api/why', (route) => route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ v: 1, path: 'x', shown: true, view: 'full', tokens: 1, reason: '<img src=x onerror=window.__xss=1>', details: ['<svg onload=window.__xss=1>'], hint: '"><script>window.__xss=1</script>', weighed: null }) }));
  await go(page, '#/compose?f=<img src=x onerror=window.__xss=1>');
  await ready(page);
  await go(page, '#/file/<img src=x onerror=window.__xss=1>');
  await page.getByRole('alert').waitFor();
  await go(page, '#/runs/1?with=<svg onload=window.__xss=1>');
  await page.waitForTimeout(500);
  await go(page, '#/compose');
  await page.waitForTimeout(700);
  equal(await page.evaluate(() => window.__xss), undefined, 'ran');
});
