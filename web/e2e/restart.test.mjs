// The server dies as a crash kills it and comes back on the same port with the same data: an open page says so, goes on, and loses nothing.
import { clean, equal, go, ok, ready, test, toFile, total, until, viewOf, visit } from './lib.mjs';
import { fixture } from './fixture.mjs';
import { Home } from './program.mjs';

const BANNER = 'The server does not answer.';
const lost = (page) => page.getByText(BANNER, { exact: true }).waitFor();
const found = (page) => page.getByText(BANNER, { exact: true }).waitFor({ state: 'detached' });
let own = null;
/** A server of its own: others must not lose theirs. */
async function served() {
  own ??= fixture(new Home());
  const home = await own;
  if (!home.child) await home.serve();
  return home;
}

test('a killed server: edits made meanwhile are sent to the one that comes back', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await toFile(page, 'lex.rs');
  await page.keyboard.press('3');
  const before = await total(page);
  await home.kill();
  await lost(page);
  await toFileOffline(page, 'parse.rs');
  await page.keyboard.press('2');
  equal(await viewOf(page, 'parse.rs'), 'skeleton', 'the edit is seen');
  await page.keyboard.press('u');
  await page.keyboard.press('2');
  await home.serve();
  await found(page);
  await until('the edit arrived', async () => (await total(page)) < before);
  const after = await total(page);
  // What the page shows is what a page that comes new shows, and what the program says of the same composition.
  await go(page, '#/compose?f=*.rs');
  equal([await viewOf(page, 'lex.rs'), await viewOf(page, 'parse.rs')], ['outline', 'skeleton'], 'both edits');
  const composition = ['**', { path: 'src/lex.rs', view_mode: 'outline' }, { path: 'src/parse.rs', view_mode: 'skeleton' }];
  equal(after, (await home.ask('plan', { request: { composition } })).tokens.count, 'the total');
  await page.reload();
  equal(await total(page), after, 'after a reload');
  clean(page);
});

/** As `toFile`, while nothing answers. */
async function toFileOffline(page, path) {
  await page.keyboard.press('/');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(path);
  await until('the filter acts', async () => (await page.locator('.nm').allTextContents()).at(-1) === path);
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
}

test('a killed server while nothing was edited: the page goes on as if nothing had been', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  const before = await total(page);
  await home.kill();
  await lost(page);
  await home.serve();
  await found(page);
  equal(await total(page), before, 'the same total');
  await page.getByText('The server is back.').waitFor({ state: 'attached' });
  // The new server knows the page: edits, other screens and events work without opening its address.
  await toFile(page, 'parse.rs');
  await page.keyboard.press('2');
  ok((await total(page)) < before, 'an edit');
  await go(page, '#/runs');
  await page.getByRole('link', { name: '1', exact: true }).waitFor();
  clean(page);
});

test('a server that died in the middle of an edit, five times in a row', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await toFile(page, 'parse.rs');
  for (let times = 0; times < 5; times++) {
    await page.keyboard.press(times % 2 ? '1' : '2');
    await home.kill();
    await lost(page);
    await home.serve();
    await found(page);
    await ready(page);
  }
  equal(await viewOf(page, 'parse.rs'), 'skeleton');
  equal(await total(page), (await home.ask('plan', { request: { composition: ['**', { path: 'src/parse.rs', view_mode: 'skeleton' }] } })).tokens.count, 'the total');
  clean(page);
});
