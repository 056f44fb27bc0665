// Runs the browser tests, all of them in one browser: `node e2e/all.mjs [WORDS]`, or `node e2e/all.mjs --big` for those of size.
// WORDS are a part of a file's or a test's name. CHROMIUM names another browser, CONTEXTURE the program, PANEL_SHOTS a folder for pictures of
// what failed. Closes with `N passed, M failed`.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { tests } from './lib.mjs';
import { endAll } from './program.mjs';

// `evil.test` is a name that an attacker points at this machine; see doors.test.mjs. The browser's own walls before local addresses are off, so
// that those of the server are what is tested.
const ARGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP evil.test 127.0.0.1',
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
];
const here = new URL('.', import.meta.url).pathname;
const isBig = process.argv[2] === '--big';
const wanted = process.argv[isBig ? 3 : 2] ?? '';
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (name === 'big.test.mjs') === isBig).sort();
const shots = process.env.PANEL_SHOTS;

async function picture(browser, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [at, page] of pages.entries()) await page.screenshot({ path: join(shots, `${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}-${at}.png`) }).catch(() => undefined);
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
const began = Date.now();
let passed = 0;
let failed = 0;
for (const file of files) {
  const from = tests.length;
  await import(`./${file}`);
  const mine = tests.slice(from).filter(({ name }) => name.includes(wanted) || file.includes(wanted));
  if (mine.length) console.log(`# ${file}`);
  for (const { name, run } of mine) {
    const start = Date.now();
    const took = () => `${((Date.now() - start) / 1000).toFixed(1)} s`;
    try {
      const said = await run(browser);
      passed++;
      console.log(`ok    ${name} (${took()})${said ? `: ${said}` : ''}`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name} (${took()}): ${error.message.split('\n').slice(0, Number(process.env.LINES ?? 8)).join('\n      ')}`);
      await picture(browser, name);
    }
    for (const context of browser.contexts()) await context.close().catch(() => undefined);
  }
}
await browser.close();
await endAll();
console.log(`${((Date.now() - began) / 1000).toFixed(0)} s in all`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
