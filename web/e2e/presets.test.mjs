// A preset is files, screenshots and a description. Needs a server whose `preset/save` takes `screenshots`.
import { clean, command, equal, go, ok, ready, test, toFile, visit } from './lib.mjs';
import { project, put } from './fixture.mjs';
import { Home } from './program.mjs';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

async function withPictures() {
  const home = new Home();
  project(home.project);
  put(home.project, 'shots/one.png', PNG);
  put(home.project, 'shots/two.png', PNG);
  put(home.project, 'contexture.toml', '[screenshots]\npaths = ["shots/one.png", "shots/two.png"]\n\n[presets.seen]\ndescription = "Looks"\nfiles = ["src/**"]\nscreenshots = ["shots/two.png", "shots/gone.png"]\n');
  return home.serve();
}
const saved = async (home, name) => (await home.ask('preset/list', {})).presets.find((one) => one.name === name);

async function save(page, name, { leave } = {}) {
  await page.getByRole('button', { name: 'Save as preset' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  if (leave) await dialog.getByLabel(leave).uncheck();
  const offered = await dialog.getByRole('group', { name: 'Screenshots' }).getByRole('checkbox').count();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(`Saved ${name}`).waitFor();
  return offered;
}

test('a preset is saved with the screenshots that are shown', async (browser) => {
  const home = await withPictures();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  equal(await save(page, 'both'), 2, 'offered');
  equal((await saved(home, 'both')).screenshots, ['shots/one.png', 'shots/two.png']);
  await save(page, 'first', { leave: 'shots/two.png' });
  equal((await saved(home, 'first')).screenshots, ['shots/one.png']);
  await go(page, '#/presets/project/first');
  await page.getByRole('table', { name: 'Screenshots of first' }).getByText('shots/one.png').waitFor();
  clean(page);
  await home.end();
});

test('while a preset is tried, its screenshots are those that are saved', async (browser) => {
  const home = await withPictures();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  await go(page, '#/presets/project/seen');
  ok((await page.getByRole('table', { name: 'Screenshots of seen' }).textContent()).includes('missing'), 'a picture that is gone is told');
  await go(page, '#/compose?preset=seen');
  await ready(page);
  equal(await save(page, 'again'), 2, 'offered');
  equal((await saved(home, 'again')).screenshots, ['shots/two.png', 'shots/gone.png']);
  clean(page);
  await home.end();
});

test('the command that is shown saves the same preset', async (browser) => {
  const home = await withPictures();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  await toFile(page, 'lex.rs');
  await page.keyboard.press('2');
  await ready(page);
  await save(page, 'edited');
  const line = await command(page);
  const { files, screenshots } = await saved(home, 'edited');
  await home.ask('preset/remove', { name: 'edited', scope: 'project' });
  await home.shell(line);
  const again = await saved(home, 'edited');
  equal([again.files, again.screenshots], [files, screenshots]);
  clean(page);
  await home.end();
});
