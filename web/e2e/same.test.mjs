// The panel and the command line are two doors to one room: the same figures, and the same bytes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clean, command, copied, equal, go, ok, quiet, ready, row, test, toFile, total, visit } from './lib.mjs';
import { fixture } from './fixture.mjs';
import { Home } from './program.mjs';

let own = null;
const served = () => (own ??= fixture(new Home()).then((home) => home.serve()));
const figure = (text) => Number(text.replace(/\D/g, ''));

test('the total is the one that build tells, as it is, with a budget, with a task, with edits', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  const told = [];
  for (const [hash, flags] of [['#/compose', []], ['#/compose?budget=6000', ['--budget', '6000']], ['#/compose?budget=6000&query=parse+rows', ['--budget', '6000', '--query', 'parse rows']], ['#/compose?strategy=summarize', ['--strategy', 'summarize']], ['#/compose?tree=full&lines=yes', ['--tree', 'full', '--line-numbers']]]) {
    await go(page, hash);
    const built = await home.json('build', '-o', '-', '--no-manifest', ...flags);
    equal(await total(page), built.tokens.count, hash);
    told.push(built.tokens.count);
  }
  await go(page, '#/compose');
  for (const [name, key] of [['parse.rs', '2'], ['lex.rs', '3'], ['page_3.md', 'x'], ['page_4.md', '4']]) {
    await toFile(page, name);
    await page.keyboard.press(key);
    await ready(page);
  }
  await page.getByRole('button', { name: 'Save as preset' }).click();
  await page.getByLabel('Name').fill('edited');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved edited').waitFor();
  // The preset is a line of the settings, and those are no file of the document.
  const built = await home.json('build', '-o', '-', '--no-manifest', '--preset', 'edited', '--exclude', 'contexture.toml');
  await go(page, '#/compose?exclude=contexture.toml');
  equal(await total(page), built.tokens.count, 'with edits');
  ok(built.tokens.count < told[0], 'smaller');
  clean(page);
  return `${told.join(', ')}, edited ${built.tokens.count}`;
});

test('tokens of files and folders are those that tokens tells', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await go(page, '#/compose');
  await ready(page);
  const { files } = await home.json('tokens');
  const whole = page.locator('.inspector .facts div', { hasText: 'Whole text' }).locator('dd');
  for (const [name, wanted] of [['parse.rs', 'src/parse.rs'], ['payloads.md', 'notes/payloads.md'], ['docs', 'docs/'], ['src', 'src/']]) {
    await row(page, name).click();
    equal(figure(await whole.textContent()), files.filter((one) => one.path.startsWith(wanted)).reduce((sum, one) => sum + one.tokens, 0), name);
  }
  clean(page);
});

for (const format of ['md', 'anthropic', 'openai']) {
  test(`the preview is what build prints: ${format}`, async (browser) => {
    const home = await served();
    const { page } = await visit(browser, { address: home.url });
    const isPlain = format === 'md';
    await go(page, isPlain ? '#/preview' : `#/preview?format=${format}&message=Why%3F`);
    await page.getByRole('region', { name: 'The exact text' }).waitFor();
    await page.locator('.toolbar').getByRole('button', { name: 'Copy' }).click();
    const text = await copied(page);
    const wanted = await home.cli(['build', '-o', '-', '--no-manifest', ...(isPlain ? [] : ['--format', format, '--message', 'Why?'])]);
    ok(Buffer.from(text).equals(wanted), `${Buffer.byteLength(text)} bytes are not the ${wanted.length} that build prints`);
    // The line above the bar is the command of it: pasted into a shell, it prints the same.
    const line = await command(page);
    ok((await home.shell(line)).equals(wanted), line);
    if (isPlain) {
      await page.locator('.toolbar').getByRole('button', { name: 'Build', exact: true }).click();
      const path = (await page.getByText(/^Wrote/).first().textContent()).match(/Wrote (\S+) as/)[1];
      ok(readFileSync(join(home.project, path)).equals(wanted), 'the file on disk');
    }
    clean(page);
    return `${wanted.length} bytes`;
  });
}

test('the preview of an edited composition is what its preset builds', async (browser) => {
  const home = await served();
  const { page } = await visit(browser, { address: home.url });
  await toFile(page, 'parse.rs');
  await page.keyboard.press('2');
  await ready(page);
  await toFile(page, 'page_3.md');
  await page.keyboard.press('x');
  await ready(page);
  await page.getByRole('button', { name: 'Save as preset' }).click();
  await page.getByLabel('Name').fill('seen');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved seen').waitFor();
  await go(page, '#/preview?exclude=contexture.toml');
  await quiet(page);
  const line = await command(page);
  await page.locator('.toolbar').getByRole('button', { name: 'Copy' }).click();
  const text = await copied(page);
  ok(Buffer.from(text).equals(await home.cli(['build', '-o', '-', '--no-manifest', '--preset', 'seen', '--exclude', 'contexture.toml'])), 'other bytes');
  // The command has the edits, too, and writes none of them.
  ok(Buffer.from(text).equals(await home.shell(line)), line);
  await page.locator('.bar').getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByText(/^Wrote/).first().waitFor();
  ok((await command(page)).startsWith('CONTEXTURE_FILES_PATHS='), 'the command of Build');
  clean(page);
});

test('what is saved while a preset is tried is that preset, with edits and without', async (browser) => {
  const home = await served();
  await home.ask('preset/save', { name: 'tried', scope: 'project', files: ['README.md', { path: 'src/**', view_mode: 'outline' }] });
  const { page } = await visit(browser, { address: home.url });
  await go(page, '#/compose?preset=tried');
  await ready(page);
  const save = async (name) => {
    await page.getByRole('button', { name: 'Save as preset' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(`Saved ${name}`).waitFor();
    return (await home.json('preset', 'list')).presets.find((one) => one.name === name).files;
  };
  equal(await save('plain'), ['README.md', { path: 'src/**', view_mode: 'outline' }], 'without edits');
  await row(page, 'README.md').click();
  await page.keyboard.press('3');
  await ready(page);
  equal(await save('other'), [{ path: 'README.md', view_mode: 'outline' }, { path: 'src/**', view_mode: 'outline' }], 'with edits');
  clean(page);
});
