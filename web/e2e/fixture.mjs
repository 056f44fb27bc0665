// The project of the browser tests: code, hidden characters, a token that is none, and names and contents that would run if they were ever
// taken for HTML. `fixture(home)` writes it and plants what screens show: a run, a tree, a preset, a persona, summaries by a model, an agent's
// workspace. `node e2e/fixture.mjs DIR [FILES]` writes the files alone, with so many more.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function put(root, path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const PAYLOADS = [
  '<script>window.__xss=1</script>', '<img src=x onerror=window.__xss=1>', '"><svg onload=window.__xss=1>', "'-window.__xss=1-'", '{{constructor.constructor("window.__xss=1")()}}',
  '<iframe srcdoc="<script>parent.__xss=1</script>">', 'javascript:window.__xss=1', '<a href="javascript:window.__xss=1" autofocus onfocus=window.__xss=1>', '<style>@import "http://198.51.100.1/x";</style>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.__xss=1&gt;">', '<details open ontoggle=window.__xss=1>', '![x](http://198.51.100.1/x.png)', '${window.__xss=1}', '</textarea><script>window.__xss=1</script>',
];
const HANDLERS = ['onerror', 'onload', 'onfocus', 'onclick', 'onmouseover', 'ontoggle', 'onanimationstart', 'onpointerenter', 'oncut', 'onbeforeinput'];
const TAGS = ['img src=x', 'svg', 'body', 'input autofocus', 'video src=x', 'audio src=x', 'details open', 'marquee', 'select autofocus', 'object data=x', 'embed src=x', 'iframe src=x', 'form', 'button', 'keygen'];
const LOTS = TAGS.flatMap((tag) => HANDLERS.flatMap((handler) => ['', '"', "'", '>', '-->', '</title>', '/**/'].map((lead) => `${lead}<${tag} ${handler}=window.__xss=1>`)));
/** Two hundred, each another: the ones that are known to have worked somewhere, then tags and handlers with what closes the text before them. */
export const payloads = [...new Set([...PAYLOADS, ...LOTS.filter((_, at) => at % 5 === 0)])].slice(0, 200);

const LEXER = 'pub struct Lexer {\n    pub at: usize,\n}\n\nimpl Lexer {\n    pub fn next(&mut self) -> Option<u8> {\n        self.at += 1;\n        None\n    }\n}\n';

/** Writes the files, the last of them changed since the commit. */
export function project(root, many = 0) {
  put(root, 'README.md', '# Fixture\n\nA small project for the tests of the panel.\n');
  put(root, 'src/parse.rs', `//! Parses rows.\n\n${Array.from({ length: 30 }, (_, at) => `/// Adds ${at}.\npub fn add_${at}(value: u64) -> u64 {\n    let more = value + ${at};\n    more * 2\n}\n`).join('\n')}`);
  put(root, 'src/lex.rs', `//! Lexes.\n\n${LEXER}`);
  put(root, 'src/main.py', 'import sys\n\n\ndef main():\n    """Runs."""\n    print(sys.argv)\n\n\nif __name__ == "__main__":\n    main()\n');
  for (let at = 0; at < 12; at++) put(root, `docs/page_${at}.md`, `# Page ${at}\n\n${'Words about something that matters here. '.repeat(20 + at * 10)}\n`);
  put(root, 'notes/payloads.md', `${PAYLOADS.join('\n')}\n${LOTS.join('\n')}\n`);
  put(root, 'notes/hidden.md', 'Plain \u202e turned \u200b and \u{e0041} tagged.\n');
  put(root, 'conf/dev.toml', `github = "${['ghp', 'kT9xQ2mB7vL4sZ8wN1cR6yH3jF5dG0aPuE2X'].join('_')}"\n`);
  PAYLOADS.slice(0, 5).forEach((payload, at) => put(root, `names/${at} ${payload.replaceAll('/', '')}.md`, `# ${payload}\n`));
  for (let at = 0; at < many; at++) put(root, `pkg${String(Math.floor(at / 500)).padStart(3, '0')}/mod${String(Math.floor(at / 25) % 20).padStart(2, '0')}/file_${at % 25}.rs`, `//! File ${at}.\npub fn value_${at}() -> u64 {\n    ${at}\n}\n`);
  const git = (...args) => execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main', ...args], { cwd: root, stdio: 'ignore' });
  git('init');
  git('add', '-A');
  git('commit', '-m', 'fixture');
  put(root, 'src/lex.rs', `//! Lexes, and was changed.\n\n${LEXER}`);
}

/** A model that speaks OpenAI's API and answers each question with what `say` makes of it. */
export async function model(say) {
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const content = say(Buffer.concat(pieces).toString());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'test', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }], usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 } }));
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

/** Asks `say` for summaries of these files, as `contexture summarize` does. */
export async function summarize(home, paths, say) {
  const asked = await model(say);
  try {
    return await home.cli(['summarize', ...paths, '--provider', 'openai', '--base-url', asked.url, '--model', 'test', '--json'], { env: { OPENAI_API_KEY: 'none' } });
  } finally {
    asked.close();
  }
}

export async function fixture(home, { say = () => 'Adds numbers with `add_0` and `add_1`, and gives rows back.' } = {}) {
  project(home.project);
  put(home.folder, 'config/config.toml', '[personas.reviewer]\nsystem_prompt = "You read code with care."\nbudget = 9000\n');
  put(home.folder, 'data/workspace/SOUL.md', '# Who I am\n\nAn agent of the tests.\n');
  put(home.folder, 'data/workspace/memory/MEMORY.md', '# Memory\n\n- 2026-02-01: the budget is 8,000 tokens\n- 2026-02-02: tea is served at four\n');
  await home.cli(['build']);
  await home.cli(['loom', 'new', 'Tea']);
  const first = (await home.cli(['loom', 'add', 'Which tea keeps me awake?'])).toString().trim();
  await home.cli(['loom', 'add', '--as', 'model', 'Green tea, gently.']);
  await home.cli(['loom', 'add', '--as', 'model', '--parent', first, 'Black tea, and it does not ask.']);
  await summarize(home, ['src/parse.rs'], say);
  return home;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , root, many] = process.argv;
  if (!root) {
    console.error('usage: node e2e/fixture.mjs DIR [FILES]');
    process.exit(2);
  }
  project(root, Number(many ?? 0));
}
