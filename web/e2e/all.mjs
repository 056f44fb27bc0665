// Runs the browser tests: `node e2e/all.mjs [WORDS]`, or `node e2e/all.mjs --big [WORDS]` for those of size. WORDS are a part of a file's or a test's
// name. A file has a process, a browser and a server of its own, and a few of them run at once, because a test mostly waits. CHROMIUM names another
// browser, CONTEXTURE the program, PANEL_SHOTS a folder for pictures of what failed, PANEL_LANES how many run at once. Closes with `N passed, M failed`.
import { fork } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { tests } from './lib.mjs';
import { endAll } from './program.mjs';

// `evil.test` is a name that an attacker points at this machine; see doors.test.mjs. The browser's own walls before local addresses are off, so
// that those of the server are what is tested.
const ARGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP evil.test 127.0.0.1',
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
];
// What takes longest begins first, so that nothing is waited for at the end.
const SLOW = ['xss', 'keyboard', 'axe', 'keeping', 'same', 'shell', 'compose'];
const LANES = Number(process.env.PANEL_LANES ?? 3);
const shots = process.env.PANEL_SHOTS;
const [first = '', ...rest] = process.argv.slice(2);

if (first === '--file') {
  const { passed, failed } = await runFile(rest[0], rest[1] ?? '');
  process.send?.({ passed, failed });
  process.exit(failed ? 1 : 0);
}
process.exit(await runAll(first === '--big', (first === '--big' ? rest[0] : first) ?? ''));

async function runAll(isBig, wanted) {
  const began = Date.now();
  const rank = (name) => (SLOW.indexOf(name.split('.')[0]) + SLOW.length + 1) % (SLOW.length + 1);
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.mjs') && (name === 'big.test.mjs') === isBig).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const sum = { passed: 0, failed: 0 };
  const children = new Set();
  process.on('exit', () => children.forEach((child) => child.kill('SIGTERM')));
  const lane = async () => {
    for (let file = files.shift(); file; file = files.shift()) {
      const child = fork(fileURLToPath(import.meta.url), ['--file', file, wanted], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
      children.add(child);
      let said = '';
      let told = null;
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece));
      child.on('message', (one) => (told = one));
      const code = await new Promise((done) => child.on('close', done));
      children.delete(child);
      process.stdout.write(said);
      sum.passed += told?.passed ?? 0;
      // A process that dies without a word has failed.
      sum.failed += told?.failed ?? (code === 0 ? 0 : 1);
    }
  };
  await Promise.all(Array.from({ length: isBig ? 1 : LANES }, lane));
  console.log(`${((Date.now() - began) / 1000).toFixed(0)} s in all`);
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed || !sum.passed ? 1 : 0;
}

async function runFile(file, wanted) {
  await import(`./${file}`);
  const mine = tests.filter(({ name }) => name.includes(wanted) || file.includes(wanted));
  const sum = { passed: 0, failed: 0 };
  if (!mine.length) return sum;
  console.log(`# ${file}`);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
  for (const { name, run } of mine) {
    const start = Date.now();
    const took = () => `${((Date.now() - start) / 1000).toFixed(1)} s`;
    try {
      const said = await run(browser);
      sum.passed++;
      console.log(`ok    ${name} (${took()})${said ? `: ${said}` : ''}`);
    } catch (error) {
      sum.failed++;
      console.log(`FAIL  ${name} (${took()}): ${error.message.split('\n').slice(0, Number(process.env.LINES ?? 8)).join('\n      ')}`);
      await picture(browser, name);
    }
    for (const context of browser.contexts()) await context.close().catch(() => undefined);
  }
  await browser.close();
  await endAll();
  return sum;
}

async function picture(browser, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [at, page] of pages.entries()) await page.screenshot({ path: join(shots, `${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}-${at}.png`) }).catch(() => undefined);
}
