// The real program on a project of its own: with a home, settings, caches and data that nobody else has. CONTEXTURE names the program;
// without it, the one that `cargo build` made is taken. Everything is gone when the tests end.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const program = process.env.CONTEXTURE ?? fileURLToPath(new URL('../../target/debug/contexture', import.meta.url));

const homes = new Set();

export class Home {
  constructor() {
    if (!existsSync(program)) throw new Error(`there is no program at ${program}: CONTEXTURE names it`);
    this.folder = mkdtempSync(join(tmpdir(), 'contexture-e2e-'));
    this.project = join(this.folder, 'project');
    mkdirSync(this.project);
    this.env = {
      PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: this.folder, CONTEXTURE_CONFIG_DIR: join(this.folder, 'config'), CONTEXTURE_CACHE_DIR: join(this.folder, 'cache'), CONTEXTURE_DATA_DIR: join(this.folder, 'data'),
    };
    this.child = null;
    this.port = 0;
    homes.add(this);
  }

  /** Runs a command of the program; gives its bytes. */
  cli(args, { env = {}, input = '' } = {}) {
    return new Promise((done, fail) => {
      const child = execFile(program, args, { cwd: this.project, env: { ...this.env, ...env }, encoding: 'buffer', maxBuffer: 1 << 28 }, (error, out, talk) => {
        if (error) fail(new Error(`contexture ${args.join(' ').slice(0, 120)}: ${talk.toString().trim() || error.message}`));
        else done(out);
      });
      // A command that reads nothing may be done before we are.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
  }

  /** Runs a command line as the panel shows it, through a shell as a person would. */
  shell(line) {
    return new Promise((done, fail) => {
      execFile('sh', ['-c', line.replace(/(^|' |&& )contexture\b/g, '$1"$CONTEXTURE"')], { cwd: this.project, env: { ...this.env, CONTEXTURE: program }, encoding: 'buffer', maxBuffer: 1 << 28 }, (error, out, talk) => (error ? fail(new Error(`${line}: ${talk}`)) : done(out)));
    });
  }

  async json(...args) {
    return JSON.parse((await this.cli([...args, '--json'])).toString());
  }

  /** Starts the server, on the port it had before if there was one. */
  async serve() {
    this.child = spawn(program, ['serve', '--listen', `127.0.0.1:${this.port}`], { cwd: this.project, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    const talk = [];
    this.child.stderr.on('data', (piece) => talk.push(piece));
    this.url = await new Promise((done, fail) => {
      this.child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${Buffer.concat(talk)}`)));
      createInterface({ input: this.child.stdout }).once('line', (line) => done(line.trim()));
    });
    this.child.removeAllListeners('exit');
    const { port, origin, searchParams } = new URL(this.url);
    Object.assign(this, { port: Number(port), origin, token: searchParams.get('token') });
    return this;
  }

  /** As a crash does it: nothing is finished, nothing is said. */
  async kill() {
    const child = this.child;
    this.child = null;
    if (!child || child.exitCode !== null) return;
    await new Promise((done) => {
      child.once('exit', done);
      child.kill('SIGKILL');
    });
  }

  /** Asks the server as another program would. */
  async ask(name, body = {}) {
    const answer = await fetch(`${this.origin}/api/${name}`, { method: 'POST', headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  async end() {
    homes.delete(this);
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function endAll() {
  for (const home of [...homes]) await home.end();
}
// Also when the tests are broken off, no server is left behind.
process.on('exit', () => {
  for (const home of homes) {
    home.child?.kill('SIGKILL');
    rmSync(home.folder, { recursive: true, force: true });
  }
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
