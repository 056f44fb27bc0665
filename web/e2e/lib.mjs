// What all browser tests share: pages that are known to the server, waits for conditions, small helpers, and the list of tests.
// Nothing here waits for time to pass: a page counts its own requests and timers, and a test waits until there are none.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Home } from './program.mjs';
import { fixture } from './fixture.mjs';

export const tests = [];
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
export const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)];

/** The server that tests share which leave nothing behind that another one would see. Started by the first that needs it. */
let common = null;
export function shared() {
  common ??= fixture(new Home()).then((home) => home.serve());
  return common;
}

/** A fresh browser profile that has opened the printed address. Everything unexpected on the page is collected. */
export async function visit(browser, options = {}) {
  const { address = (await shared()).url, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1440, height: 860 }, permissions: ['clipboard-read', 'clipboard-write'], ...rest });
  context.setDefaultTimeout(15_000);
  await context.addInitScript(watch);
  if (process.env.PANEL_DIST) await fromDisk(context, process.env.PANEL_DIST);
  const page = await open(context, address);
  return { context, page };
}

export async function open(context, address) {
  const page = await context.newPage();
  page.problems = [];
  address ??= (await shared()).url;
  const own = new URL(address).origin;
  page.on('pageerror', (error) => page.problems.push(`error: ${error.stack?.split('\n').slice(0, 4).join(' ') ?? error.message}`));
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

/** Scripts and styles as `npm run build` made them in place of those inside the program, to try a change without building that. */
async function fromDisk(context, folder) {
  const files = readdirSync(join(folder, 'assets'));
  await context.route(/assets\/panel-/, (route) => {
    // A hash may have a dash in it.
    const [, stem, kind] = /\/([^/-]+)-[^/]*(\.\w+)$/.exec(new URL(route.request().url()).pathname);
    return route.fulfill({ path: join(folder, 'assets', files.find((name) => name.startsWith(`${stem}-`) && name.endsWith(kind))) });
  });
}

/** Runs in the page before its own scripts: counts requests and timers that are under way, and notes when events arrive. */
function watch() {
  const busy = { requests: 0, timers: new Map() };
  const { setTimeout: later, clearTimeout: never, fetch: ask, EventSource: Source } = window;
  window.setTimeout = (run, wait = 0, ...rest) => {
    const id = later(() => {
      busy.timers.delete(id);
      run(...rest);
    }, wait);
    busy.timers.set(id, wait);
    return id;
  };
  window.clearTimeout = (id) => {
    busy.timers.delete(id);
    never(id);
  };
  const counted = (promise) => {
    busy.requests++;
    return promise.finally(() => busy.requests--);
  };
  window.fetch = (...args) => counted(ask(...args));
  for (const name of ['json', 'text']) {
    const read = Response.prototype[name];
    Response.prototype[name] = function () {
      return counted(read.call(this));
    };
  }
  window.__events = [];
  window.EventSource = class extends Source {
    constructor(...args) {
      super(...args);
      for (const name of ['files', 'runs', 'loom', 'cache', 'config']) this.addEventListener(name, () => window.__events.push({ name, at: performance.timeOrigin + performance.now() }));
    }
  };
  // Quiet is nothing under way in three looks, a frame apart: what an answer sets off shows in the frame after it. Timers and no frames, because a
  // tab behind another one draws none.
  window.__quiet = (most) => new Promise((done, fail) => {
    const start = performance.now();
    let calm = 0;
    const look = () => {
      const waits = [...busy.timers.values()].filter((wait) => wait <= most);
      calm = busy.requests || waits.length ? 0 : calm + 1;
      if (calm === 3) done();
      else if (performance.now() - start > 30_000) fail(new Error(`never quiet: ${busy.requests} requests, timers of ${waits.join(', ')} ms`));
      else later(look, 16);
    };
    look();
  });
}

/** Looks again and again until a condition holds; `what` is said when it never does. */
export async function until(what, condition, timeout = 15_000) {
  const end = Date.now() + timeout;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/**
 * Waits until the page has nothing under way: no request, and no timer of at most `most` milliseconds. What the panel puts off for longer
 * than that (asking why after 350, a plan after 900) is no part of an action; whoever needs it names a larger figure.
 */
export async function quiet(page, most = 300) {
  await page.evaluate((wait) => window.__quiet(wait), most);
}

/** Goes to another place of the panel and waits until it is there. */
export async function go(page, hash) {
  await page.evaluate((to) => new Promise((done) => {
    const before = location.href;
    window.addEventListener('hashchange', done, { once: true });
    location.hash = to;
    if (location.href === before) done();
  }), hash);
  await quiet(page);
}

/** Waits until the composition is there and counted. */
export async function ready(page) {
  await until('a counted document', () => page.evaluate(() => {
    const total = document.querySelector('[data-testid=total]')?.textContent ?? '';
    return /\d/.test(total) && !total.includes('counting');
  }), 30_000);
  await quiet(page);
}

export async function total(page) {
  await ready(page);
  return Number((await page.locator('[data-testid=total]').textContent()).match(/[\d,]+/)[0].replaceAll(',', ''));
}

export async function command(page) {
  await quiet(page);
  return (await page.locator('.cmd code').textContent()).trim();
}

export function row(page, name) {
  return page.locator('[role=treegrid] [role=row]', { has: page.locator(`.nm:text-is("${name}")`) }).first();
}
export async function viewOf(page, name) {
  return (await row(page, name).locator('.view').textContent()).trim();
}

/** Puts the keyboard on a file by way of the filter, as a person would. */
export async function toFile(page, path) {
  await go(page, '#/compose');
  await ready(page);
  await page.keyboard.press('/');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(path);
  await quiet(page);
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
}

/** The text of the clipboard, after a button or key that fills it was used and said so. */
export async function copied(page) {
  await page.getByText(/^Copied/).first().waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

export function clean(page) {
  equal(page.problems, [], 'the page complained');
}
