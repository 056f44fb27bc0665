// What other programs write appears by itself: files within a third of a second, runs, trees, summaries and settings.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clean, equal, go, ok, open, percentile, ready, test, total, until, visit } from './lib.mjs';
import { fixture, put, summarize } from './fixture.mjs';
import { Home } from './program.mjs';

let own = null;
const served = () => (own ??= fixture(new Home()).then((home) => home.serve()));
const now = () => performance.timeOrigin + performance.now();
const WRITES = 9;

test('a file that is written is told within 300 ms, and its row appears', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await go(page, '#/compose?f=written');
  await ready(page);
  const told = [];
  const shown = [];
  // New files, then the same ones larger: first a row comes, then its tokens change.
  for (let at = 0; at < WRITES; at++) {
    const name = `written_${at % 5}.md`;
    const isNew = at < 5;
    await page.evaluate(([wanted, before]) => {
      window.__events.length = 0;
      window.__shown = new Promise((done) => {
        const look = () => {
          const row = [...document.querySelectorAll('[role=row]')].find((one) => one.querySelector('.nm')?.textContent === wanted);
          const tokens = row?.querySelector('.cell.num')?.textContent ?? '';
          if (row && tokens !== before) done(performance.timeOrigin + performance.now());
          else requestAnimationFrame(look);
        };
        look();
      });
    }, [name, isNew ? '' : await page.locator('[role=row]', { has: page.locator(`.nm:text-is("${name}")`) }).locator('.cell.num').first().textContent()]);
    const from = now();
    writeFileSync(join(home.project, name), `# Written\n\n${'More words. '.repeat((at + 1) * 10)}\n`);
    shown.push((await page.evaluate(() => window.__shown)) - from);
    told.push((await page.evaluate(() => window.__events.find((one) => one.name === 'files').at)) - from);
    await ready(page);
  }
  const figures = `told p50 ${Math.round(percentile(told, 0.5))} ms, most ${Math.round(Math.max(...told))}; row p50 ${Math.round(percentile(shown, 0.5))} ms, most ${Math.round(Math.max(...shown))}`;
  ok(percentile(told, 0.5) <= 300, figures);
  equal(await total(page), (await home.json('build', '-o', '-')).tokens.count, 'the total');
  rmSync(join(home.project, 'written_0.md'));
  await until('the row is gone', async () => (await page.locator('.nm').allTextContents()).join() === 'written_1.md,written_2.md,written_3.md,written_4.md');
  clean(page);
  return figures;
});

test('edits stay with their files when other files come and go', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await go(page, '#/compose?f=lex.rs');
  await ready(page);
  await page.keyboard.press('End');
  await page.keyboard.press('3');
  await ready(page);
  writeFileSync(join(home.project, 'aaa_first.md'), '# First\n');
  await go(page, '#/compose');
  await page.locator('.nm:text-is("aaa_first.md")').waitFor();
  await ready(page);
  await go(page, '#/compose?f=hand');
  equal(await page.locator('.nm').allTextContents(), ['src', 'lex.rs']);
  rmSync(join(home.project, 'aaa_first.md'));
  clean(page);
});

test('a preview follows a saved file', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await go(page, '#/preview?include=README.md');
  await page.getByText('A small project for the tests').waitFor();
  writeFileSync(join(home.project, 'README.md'), '# Fixture\n\nA project that was saved again.\n');
  await page.getByText('A project that was saved again.').waitFor();
  clean(page);
});

test('runs, trees, summaries and settings of other processes appear', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await go(page, '#/runs');
  const runs = await page.locator('tbody tr').count();
  await home.cli(['build']);
  await until('the run', async () => (await page.locator('tbody tr').count()) === runs + 1);
  await go(page, '#/loom');
  await home.cli(['loom', 'add', 'Said by another process']);
  await page.locator('.loomrow', { hasText: 'Said by another process' }).waitFor();
  await go(page, '#/cache?f=page_11');
  await page.locator('.dot.none').waitFor();
  await summarize(home, ['docs/page_11.md'], () => 'Page 11 has words about something that matters here.');
  await page.locator('.dot.fresh').waitFor();
  await go(page, '#/presets');
  await home.cli(['preset', 'save', 'elsewhere', 'src/**']);
  await page.getByRole('link', { name: /elsewhere/ }).waitFor();
  clean(page);
});

/** As a browser does it when another tab is chosen; pages of these tests are all shown at once. */
async function turn(page, state) {
  await page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('a tab that is hidden does not listen, and reads again what it missed when it is shown', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  const before = await total(page);
  const events = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/events'));
  await turn(page, 'hidden');
  await events;
  // Another tab is told of the change; this one is not.
  const other = await open(page.context(), home.url);
  await ready(other);
  put(home.project, 'src/missed.rs', 'pub fn missed() -> u64 {\n    1\n}\n');
  await until('the other tab', async () => (await total(other)) > before);
  equal(await total(page), before, 'nothing is told to a hidden tab');
  await turn(page, 'visible');
  await until('what was missed', async () => (await total(page)) > before);
  equal(await total(page), await total(other), 'the same total');
  // And it listens again.
  const grown = await total(page);
  put(home.project, 'src/missed.rs', 'pub fn missed() {}\n');
  await until('the next change', async () => (await total(page)) < grown);
  clean(page);
  clean(other);
});

test('a seventh tab works as the first one does', async (browser) => {
  const home = await served();
  const { context, page } = await visit(browser, { address: home.url });
  await ready(page);
  let last = page;
  for (let tabs = 2; tabs <= 7; tabs++) {
    await turn(last, 'hidden');
    last = await open(context, home.url);
    await ready(last);
  }
  ok((await total(last)) > 1000, 'a total');
  clean(last);
});

test('a stream that broke while requests went on: what was missed is read again', async (browser) => {
  const home = await served();
  const { context, page } = await visit(browser, { address: home.url });
  const before = await total(page);
  // The stream cannot be opened for a while; everything else can.
  await turn(page, 'hidden');
  let refused = 0;
  await context.route('**/api/events', (route) => {
    refused++;
    return route.abort();
  });
  await turn(page, 'visible');
  await until('the stream is missed', () => refused > 0);
  put(home.project, 'src/unheard.rs', 'pub fn unheard() -> u64 {\n    2\n}\n');
  await until('the server saw it', async () => (await home.ask('plan', { request: {} })).tokens.count > before);
  await context.unroute('**/api/events');
  await until('what was missed', async () => (await total(page)) > before);
  equal(await total(page), (await home.ask('plan', { request: {} })).tokens.count, 'the total');
  clean(page);
});
