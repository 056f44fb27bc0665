// Presets, runs, agent, cache, safety, settings.
import { clean, command, copied, equal, go, ok, quiet, ready, test, toFile, until, visit } from './lib.mjs';
import { fixture } from './fixture.mjs';
import { Home } from './program.mjs';

test('presets: save, look, compare, try, apply, remove', async (browser) => {
  const { page } = await visit(browser);
  const name = `t${Date.now()}`;
  await toFile(page, 'lex.rs');
  await page.keyboard.press('2');
  await ready(page);
  await page.getByRole('button', { name: 'Save as preset' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(`Saved ${name}`).waitFor();
  await go(page, `#/presets/project/${name}`);
  await page.getByRole('heading', { name: new RegExp(name) }).first().waitFor();
  await page.getByRole('button', { name: 'Copy as TOML' }).click();
  ok((await copied(page)).startsWith(`[presets.${name}]\nfiles = [\n    "**",\n    { path = "src/lex.rs", view_mode = "skeleton" },\n]`), 'TOML');
  await page.getByRole('button', { name: 'Compare' }).click();
  ok((await command(page)).startsWith(`contexture preset diff ${name}`), 'diff');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  ok(page.url().includes(`preset=${name}`), 'try is in the address');
  await page.getByText(`trying ${name}`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop trying' }).first().click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText(`Removed ${name}`).waitFor();
  clean(page);
});

test('runs: a build appears by itself, opens, compares and replays', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/runs');
  await ready(page);
  const before = await page.locator('tbody tr td:first-child a').count();
  for (let times = 0; times < 2; times++) {
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await page.getByText(/^Wrote/).nth(times).waitFor();
  }
  await until('two runs more', async () => (await page.locator('tbody tr td:first-child a').count()) >= before + 2);
  const numbers = await page.locator('tbody tr td:first-child a').allTextContents();
  ok(numbers.length >= 2, 'two runs');
  await page.getByRole('link', { name: numbers[0], exact: true }).click();
  await page.getByRole('heading', { name: `Run ${numbers[0]}, build` }).waitFor();
  await page.getByLabel(/Compare/).selectOption(numbers[1]);
  await page.getByRole('heading', { name: `Run ${numbers[1]} to ${numbers[0]}` }).waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText(/Replayed:/).waitFor();
  ok((await command(page)).includes('runs replay'), 'command');
  clean(page);
});

test('runs: sizes as bars that the keyboard walks, each with its words', async (browser) => {
  const home = await fixture(new Home());
  for (const budget of ['2000', '5000']) await home.cli(['build', '--budget', budget]);
  await home.serve();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  await go(page, '#/runs');
  const bars = page.getByRole('group', { name: /^Tokens of the newest 3 runs/ }).getByRole('button');
  equal(await bars.count(), 3);
  ok(/^Run 2, build, [\d,]+ tokens of 2,000, /.test(await bars.nth(1).getAttribute('aria-label')), await bars.nth(1).getAttribute('aria-label'));
  // One stop for Tab, the newest; arrows go on from there.
  equal(await bars.evaluateAll((all) => all.map((one) => one.getAttribute('tabindex'))), ['-1', '-1', '0']);
  await bars.nth(2).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Run 2, build' }).waitFor();
  equal(await bars.nth(1).getAttribute('aria-current'), 'true');
  clean(page);
  await home.end();
});

test('agent: seven layers', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/agent');
  await page.getByLabel('Current message').fill('What is the budget?');
  await page.getByRole('button', { name: 'Assemble' }).click();
  await page.getByRole('table', { name: 'Layers' }).waitFor();
  equal(await page.getByRole('table', { name: 'Layers' }).getByRole('button').allTextContents(), ['system', 'bootstrap', 'memory', 'skills', 'tools', 'history', 'current']);
  clean(page);
});

test('agent: to look leaves no run behind, to keep one does', async (browser) => {
  const home = await (await fixture(new Home())).serve();
  const runs = async () => (await home.ask('runs/list', { limit: 100 })).runs.length;
  const before = await runs();
  const { page } = await visit(browser, { address: home.url });
  await ready(page);
  await go(page, '#/agent?ask=budget&max=3000');
  await page.getByRole('table', { name: 'Layers' }).waitFor();
  await page.reload();
  await page.getByRole('table', { name: 'Layers' }).waitFor();
  ok((await command(page)) === 'contexture agent --message budget --max-tokens 3000 --no-manifest', await command(page));
  // Another address of the same screen, as the way back gives it.
  await go(page, '#/agent?ask=tea');
  equal(await page.getByLabel('Current message').inputValue(), 'tea');
  await page.goBack();
  await until('the message of before', async () => (await page.getByLabel('Current message').inputValue()) === 'budget');
  await quiet(page);
  equal(await runs(), before, 'looking recorded');
  await page.getByRole('button', { name: 'Keep as a run' }).click();
  await page.getByText(/^Kept as a run/).waitFor();
  equal(await command(page), 'contexture agent --message budget --max-tokens 3000');
  equal(await runs(), before + 1, 'keeping recorded');
  clean(page);
  await home.end();
});

test('cache: states, verify, garbage, and clearing asks first', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/cache');
  await page.getByRole('table', { name: 'Summaries by file' }).waitFor();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(/sound|damaged/).first().waitFor();
  await page.getByRole('button', { name: 'Choose all 1 shown' }).click();
  await page.getByRole('button', { name: 'Clear 1 chosen' }).waitFor();
  await page.getByRole('button', { name: 'Choose none' }).click();
  await page.getByRole('button', { name: 'Collect garbage' }).click();
  await page.getByText(/no file has any more/).waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  clean(page);
});

test('safety: findings with line and rule, leave out, never the secret', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/safety');
  await page.getByRole('region', { name: 'Possible secrets' }).waitFor();
  ok((await page.getByRole('region', { name: 'Possible secrets' }).textContent()).includes('conf/dev.toml:1'), 'line');
  ok(!(await page.locator('main').textContent()).includes('kT9xQ2mB7'), 'not the secret');
  ok((await page.getByRole('region', { name: 'Hidden text' }).textContent()).includes('U+202E'), 'hidden');
  await ready(page);
  await page.getByRole('region', { name: 'Possible secrets' }).getByRole('button', { name: 'Leave out' }).first().click();
  await page.getByText('file left out').first().waitFor();
  clean(page);
});

test('settings: origins, providers without keys, doctor, snippets', async (browser) => {
  const { page } = await visit(browser);
  await go(page, '#/settings');
  await page.getByRole('cell', { name: 'budget.max_tokens', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Providers and models' }).click();
  await page.getByText('ANTHROPIC_API_KEY').first().waitFor();
  await page.getByRole('button', { name: 'Doctor' }).click();
  await page.getByRole('cell', { name: 'version' }).waitFor();
  await page.getByRole('button', { name: 'Connect an agent' }).click();
  await page.getByRole('button', { name: 'VS Code' }).click();
  await page.getByText('"servers"').waitFor();
  clean(page);
});
