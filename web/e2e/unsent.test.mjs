// What is built, copied and sent is what is shown: a slow server is waited for, and where the edits cannot go, nothing goes and a sentence says so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clean, equal, ok, quiet, ready, test, toFile, until, visit } from './lib.mjs';
import { fixture } from './fixture.mjs';
import { Home } from './program.mjs';

let own = null;
const served = () => (own ??= fixture(new Home()).then((home) => home.serve()));
const EDITED = ['**', { path: 'src/parse.rs', view_mode: 'skeleton' }];
const build = (page) => page.locator('.bar').getByRole('button', { name: 'Build', exact: true }).click();
const edited = async (home) => (await home.ask('preview', { request: { composition: EDITED } })).text;

async function written(page, home) {
  const path = (await page.getByText(/^Wrote/).first().textContent()).match(/Wrote (\S+) as/)[1];
  return readFileSync(join(home.project, path), 'utf8');
}

test('an edit that the server is slow to take is in what is built', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await toFile(page, 'parse.rs');
  await ready(page);
  // Longer than the three seconds after which the panel once gave up.
  let held = 0;
  await page.route('**/api/compose/set', async (route) => {
    held++;
    await new Promise((done) => setTimeout(done, 4000));
    await route.continue();
  });
  let asked = 0;
  await page.route('**/api/build', (route) => {
    asked++;
    return route.continue();
  });
  await page.keyboard.press('2');
  await until('the edit is on its way', () => held > 0);
  await build(page);
  equal(asked, 0, 'nothing is built before the edit arrived');
  await page.getByText(/^Wrote/).first().waitFor();
  equal(await written(page, home), await edited(home), 'the document');
  clean(page);
});

test('a workbench that is gone is made again before anything is built', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await toFile(page, 'parse.rs');
  await ready(page);
  // The newest three workbenches are kept.
  for (let times = 0; times < 3; times++) await home.ask('compose', { request: {} });
  let held = 0;
  await page.route('**/api/compose', async (route) => {
    held++;
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  await page.keyboard.press('2');
  await until('it is composed anew', () => held > 0);
  await build(page);
  await page.getByText(/^Wrote/).first().waitFor();
  equal(await written(page, home), await edited(home), 'the document');
  clean(page);
});

test('edits that the server refuses keep the document back, with a sentence', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await toFile(page, 'parse.rs');
  await page.keyboard.press('2');
  await ready(page);
  await page.route('**/api/compose/set', (route) => route.fulfill({ status: 422, json: { v: 1, error: { code: 1, kind: 'failed', message: 'the views do not fit', hints: [] } } }));
  let asked = 0;
  await page.route('**/api/build', (route) => {
    asked++;
    return route.continue();
  });
  // A new composition has the older edits sent again, and those are refused.
  await page.reload();
  await page.getByText('Edits made here do not go with this document').waitFor();
  await page.keyboard.press('b');
  await quiet(page);
  await build(page);
  await page.getByText('Your edits do not go with this document: the views do not fit').first().waitFor();
  equal(asked, 0, 'nothing is built');
  // When they are taken, it goes on.
  await page.unroute('**/api/compose/set');
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Try again' }).click();
  await ready(page);
  await build(page);
  await page.getByText(/^Wrote/).first().waitFor();
  equal(await written(page, home), await edited(home), 'the document');
  ok(asked === 1, 'built once');
  clean(page);
});
