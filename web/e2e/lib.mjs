// What all browser tests share: a browser, a page that is known to the server, small helpers, and a report.
// PANEL_URL is the address that `contexture serve` prints, token included. CHROMIUM names another browser.
import { chromium } from 'playwright-core';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
export const url = process.env.PANEL_URL ?? '';
export const base = url ? new URL(url).origin : '';

const tests = [];
export function test(name, run) {
  tests.push({ name, run });
}

export function equal(found, wanted, what = '') {
  const a = JSON.stringify(found);
  const b = JSON.stringify(wanted);
  if (a !== b) throw new Error(`${what || 'not equal'}: found ${a}, wanted ${b}`);
}
export function ok(value, what) {
  if (!value) throw new Error(what);
}

/** A fresh browser profile that has opened the printed address. Everything unexpected on the page is collected. */
export async function visit(browser, options = {}) {
  const { address = url, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1440, height: 860 }, permissions: ['clipboard-read', 'clipboard-write'], ...rest });
  const page = await open(context, address);
  return { context, page };
}

export async function open(context, address = url) {
  const page = await context.newPage();
  page.problems = [];
  const own = new URL(address).origin;
  page.on('pageerror', (error) => page.problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR|EventSource/.test(message.text())) page.problems.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    page.problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(own) && !to.startsWith('data:') && !to.startsWith('blob:')) page.problems.push(`request to ${to}`);
  });
  await page.goto(address);
  return page;
}

export async function go(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.waitForTimeout(60);
}

/** Waits until the composition is there and counted. */
export async function ready(page) {
  await page.waitForFunction(() => {
    const total = document.querySelector('[data-testid=total]')?.textContent ?? '';
    return /\d/.test(total) && !total.includes('counting');
  }, null, { timeout: 60_000 });
}

export async function total(page) {
  await ready(page);
  return Number((await page.locator('[data-testid=total]').textContent()).match(/[\d,]+/)[0].replaceAll(',', ''));
}

export async function command(page) {
  await page.waitForTimeout(150);
  return (await page.locator('.cmd code').textContent()).trim();
}

export async function row(page, name) {
  return page.locator('[role=treegrid] [role=row]', { has: page.locator(`.nm:text-is("${name}")`) }).first();
}

/** Puts the keyboard on a file by way of the filter, as a person would. */
export async function toFile(page, path) {
  await go(page, '#/compose');
  await ready(page);
  await page.keyboard.press('/');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(path);
  await page.waitForTimeout(250);
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.waitForTimeout(60);
}

export async function run() {
  if (!url) {
    console.error('PANEL_URL is not set: the address that `contexture serve` prints');
    process.exit(2);
  }
  const wanted = process.argv[2];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
  let failed = 0;
  for (const { name, run: body } of tests) {
    if (wanted && !name.includes(wanted)) continue;
    const from = Date.now();
    try {
      const said = await body(browser);
      console.log(`ok    ${name} (${Date.now() - from} ms)${said ? `: ${said}` : ''}`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}: ${error.message.split('\n').slice(0, Number(process.env.LINES ?? 6)).join('\n      ')}`);
    }
    for (const context of browser.contexts()) await context.close().catch(() => undefined);
  }
  await browser.close();
  process.exit(failed ? 1 : 0);
}

export function clean(page) {
  equal(page.problems, [], 'the page complained');
}
