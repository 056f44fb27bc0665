// Who is not let in: a name that an attacker points at this machine, and pages of other origins on it. They try all that a page can try, with the
// cookie of a panel that is open; none of it gives them a byte, and nothing changes.
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { equal, ok, ready, test, visit } from './lib.mjs';
import { fixture, put } from './fixture.mjs';
import { Home } from './program.mjs';

let own = null;
const served = () => (own ??= fixture(new Home()).then((home) => home.serve()));

/** Everything that an attack would want to change. */
async function state(home) {
  const [runs, trees, presets, config] = await Promise.all([home.ask('runs/list', { limit: 100 }), home.ask('loom/trees'), home.ask('preset/list'), home.ask('config/get')]);
  return JSON.stringify([runs.runs.map((one) => one.number), trees.trees.map((one) => one.title), presets.presets.map((one) => one.name), config]);
}

/** Runs in a foreign page: tries every way to the server, and says what it could read. */
async function attack(target) {
  const found = [];
  const tell = (way, what) => found.push(`${way}: ${what}`);
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'stolen', scope: 'project', files: ['**'] });
  const bodies = [['preset/save', body], ['build', '{"request":{}}'], ['config/set', '{"key":"safety.secrets","value":"off","scope":"project"}'], ['loom/new', '{"title":"stolen"}'], ['runs/list', '{}'], ['preview', '{"request":{}}'], ['cache/clear', '{"all":true}']];
  const reads = ['/', '/api/project', '/openapi.json', '/api/events', '/mcp'];
  for (const mode of ['cors', 'no-cors', 'same-origin']) {
    for (const credentials of ['include', 'omit']) {
      const ask = async (path, init) => {
        try {
          const answer = await fetch(target + path, { mode, credentials, redirect: 'follow', signal: AbortSignal.timeout(5000), ...init });
          if (answer.type !== 'opaque' && answer.ok) tell(`fetch ${mode} ${path}`, (await answer.text()).slice(0, 60));
        } catch {
          // Refused by the browser because of what the server did not say, or by the server.
        }
      };
      for (const path of reads) await ask(path, {});
      for (const [name, text] of bodies) {
        await ask(`/api/${name}`, { method: 'POST', body: text });
        await ask(`/api/${name}`, { method: 'POST', body: new Blob([text], { type: 'text/plain' }) });
        if (mode !== 'no-cors') await ask(`/api/${name}`, { method: 'POST', body: text, headers: json });
      }
      if (mode === 'cors') for (const method of ['PUT', 'DELETE', 'PATCH']) await ask('/api/preset/save', { method, body, headers: json });
    }
  }
  navigator.sendBeacon(`${target}/api/build`, new Blob(['{"request":{}}'], { type: 'text/plain' }));
  const once = (element, set) => new Promise((done) => {
    element.onload = () => done('load');
    element.onerror = () => done('error');
    set(element);
    document.body.append(element);
  });
  for (const path of ['/icon.svg', '/', '/api/project']) {
    if ((await once(document.createElement('img'), (one) => (one.src = target + path))) === 'load') tell('img', path);
    if ((await once(document.createElement('script'), (one) => (one.src = target + path))) === 'load') tell('script', path);
    if ((await once(document.createElement('link'), (one) => { one.rel = 'stylesheet'; one.href = target + path; })) === 'load') tell('style', path);
  }
  for (const credentials of [true, false]) {
    const source = new EventSource(`${target}/api/events`, { withCredentials: credentials });
    if (await new Promise((done) => { source.onopen = () => done(true); source.onerror = () => done(false); })) tell('EventSource', 'opened');
    source.close();
  }
  for (const path of ['/api/events', '/mcp', '/']) {
    const socket = new WebSocket(target.replace('http', 'ws') + path);
    if (await new Promise((done) => { socket.onopen = () => done(true); socket.onerror = () => done(false); })) tell('WebSocket', path);
  }
  // Frames: the page may never stand in one, and a form sends only what the server refuses.
  const frame = document.createElement('iframe');
  frame.name = 'inside';
  document.body.append(frame);
  const loaded = () => new Promise((done) => (frame.onload = done));
  for (const [action, method] of [['/', 'get'], ['/api/project', 'get'], ['/api/build', 'post'], ['/api/preset/save', 'post']]) {
    const form = document.createElement('form');
    Object.assign(form, { action: target + action, method, target: 'inside', enctype: 'text/plain' });
    const field = document.createElement('input');
    Object.assign(field, { name: '{"request":{}, "x":"', value: '"}' });
    form.append(field);
    document.body.append(form);
    const done = loaded();
    form.submit();
    await done;
    try {
      const text = frame.contentDocument?.body?.innerText;
      if (text) tell(`form ${action}`, text.slice(0, 60));
    } catch {
      // Another origin: nothing can be read.
    }
  }
  return found;
}

/** What the server answered to a page, also where the browser keeps that from it. */
async function overheard(page, origin) {
  const session = await page.context().newCDPSession(page);
  const asked = new Map();
  const answers = [];
  const passed = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => asked.set(requestId, `${request.method} ${request.url}`));
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    const what = asked.get(requestId) ?? '';
    if (!what.includes(origin)) return;
    answers.push(statusCode);
    if (statusCode < 400) passed.push(`${what}: ${statusCode}`);
  });
  await session.send('Network.enable');
  return { answers, passed };
}

/** A page of another origin on this machine. */
async function foreign() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>foreign</title><body>');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { port: server.address().port, close: () => server.close() };
}

test('a name that was rebound to this machine gets nothing', async (browser) => {
  const home = await served();
  const { context, page: panel } = await visit(browser, { address: home.url });
  await ready(panel);
  const before = await state(home);
  const page = await context.newPage();
  const evil = `http://evil.test:${home.port}`;
  const statuses = [];
  page.on('response', (response) => statuses.push(response.status()));
  for (const path of ['/', `/?token=${home.token}`, '/api/project', '/openapi.json', '/api/events', '/icon.svg', '/assets/x.js']) {
    const answer = await page.goto(evil + path);
    ok(answer.status() >= 400, `${path} answered ${answer.status()}`);
    ok(!(await page.content()).includes('/assets/'), `${path} is the panel`);
  }
  // The page that the refusal is has the rebound origin: from there, all is "same origin" for the browser.
  await page.goto(evil);
  equal(await page.evaluate(async () => {
    const found = [];
    for (const [path, init] of [['/', {}], ['/api/project', {}], ['/api/runs/list', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }], ['/api/build', { method: 'POST', body: '{"request":{}}', headers: { 'content-type': 'application/json' } }]]) {
      const answer = await fetch(path, { credentials: 'include', ...init });
      if (answer.ok) found.push(path);
    }
    return found;
  }), [], 'could be read');
  ok(statuses.length >= 11 && statuses.every((status) => status >= 400), `answers ${statuses.join(' ')}`);
  equal(await state(home), before, 'changed');
  return `${statuses.length} answers, all of them ${[...new Set(statuses)].join(' or ')}`;
});

test('pages of other origins on this machine get nothing, with the cookie of an open panel', async (browser) => {
  const home = await served();
  const other = await foreign();
  try {
    const { context, page: panel } = await visit(browser, { address: home.url });
    await ready(panel);
    const before = await state(home);
    const said = [];
    // The same host with another port is the same site: SameSite cookies go along. The other two are other sites.
    for (const from of [`http://127.0.0.1:${other.port}`, `http://localhost:${other.port}`, `http://evil.test:${other.port}`]) {
      const page = await context.newPage();
      const { answers, passed } = await overheard(page, home.origin);
      await page.goto(from);
      equal(await page.evaluate(attack, home.origin), [], `read from ${from}`);
      equal(passed, [], `answers of 2xx to ${from}`);
      ok(answers.length >= 60, `only ${answers.length} attempts reached the server`);
      said.push(answers.length);
      // The same by windows: what opens is refused, and its opener sees nothing of it.
      const [popup] = await Promise.all([context.waitForEvent('page'), page.evaluate((to) => void (window.opened = window.open(to)), home.origin)]);
      await popup.waitForLoadState();
      ok(!(await page.evaluate(() => { try { return window.opened.document.body.innerText; } catch { return ''; } })), 'a window was read');
      await page.close();
      await popup.close();
    }
    equal(await state(home), before, 'changed');
    return `${said.join(', ')} answers, none of them 2xx`;
  } finally {
    other.close();
  }
});

test('no page without the token, and no token twice', async (browser) => {
  const home = await served();
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const path of ['/', '/?token=', `/?token=${'0'.repeat(64)}`, '/api/project', '/openapi.json', '/mcp', '/api/events']) {
    const answer = await page.goto(home.origin + path);
    ok(answer.status() === 401 || answer.status() === 403, `${path} answered ${answer.status()}`);
  }
  await page.goto(home.url);
  ok(!page.url().includes('token'), 'the token stays in the address');
  equal(await page.evaluate(() => document.cookie), '', 'a script sees the cookie');
  // A head that no browser sends: another host with the right token.
  const answer = await new Promise((done) => {
    const socket = connect(home.port, '127.0.0.1', () => socket.write(`GET /api/project HTTP/1.1\r\nHost: evil.test\r\nAuthorization: Bearer ${home.token}\r\nConnection: close\r\n\r\n`));
    let text = '';
    socket.on('data', (piece) => (text += piece)).on('close', () => done(text));
  });
  ok(/^HTTP\/1.1 4/.test(answer), answer.split('\r\n')[0]);
});

test('a file that redirects to the address opens the panel, as `serve --open` does', async (browser) => {
  const home = await served();
  put(home.folder, 'open.html', `<!doctype html><meta http-equiv="refresh" content="0;url=${home.url}">`);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(home.folder, 'open.html')).href);
  // The file leads to the address, and the address to itself without the token.
  await page.waitForURL((url) => url.protocol === 'http:' && !url.search.includes('token'));
  await page.locator('[data-testid=total]', { hasText: /\d/ }).waitFor();
  ok(!page.url().includes('token'), 'the token stays in the address');
  await context.close();
});
