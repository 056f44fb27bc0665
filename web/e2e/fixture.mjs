// Writes a project for the browser tests: `node e2e/fixture.mjs DIR [FILES]`.
// Names and contents that would run if they were ever taken for HTML, hidden characters, a token that is none, and code.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, , root, many] = process.argv;
if (!root) {
  console.error('usage: node e2e/fixture.mjs DIR [FILES]');
  process.exit(2);
}
const put = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

const PAYLOADS = [
  '<script>window.__xss=1</script>', '<img src=x onerror=window.__xss=1>', '"><svg onload=window.__xss=1>', "'-window.__xss=1-'", '{{constructor.constructor("window.__xss=1")()}}',
  '<iframe srcdoc="<script>parent.__xss=1</script>">', 'javascript:window.__xss=1', '<a href="javascript:window.__xss=1" autofocus onfocus=window.__xss=1>', '<style>@import "http://198.51.100.1/x";</style>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.__xss=1&gt;">', '<details open ontoggle=window.__xss=1>', '![x](http://198.51.100.1/x.png)', '${window.__xss=1}', '</textarea><script>window.__xss=1</script>',
];
const handlers = ['onerror', 'onload', 'onfocus', 'onclick', 'onmouseover', 'ontoggle', 'onanimationstart', 'onpointerenter', 'oncut', 'onbeforeinput'];
const tags = ['img src=x', 'svg', 'body', 'input autofocus', 'video src=x', 'audio src=x', 'details open', 'marquee', 'select autofocus', 'object data=x', 'embed src=x', 'iframe src=x', 'form', 'button', 'keygen'];
const lots = tags.flatMap((tag) => handlers.flatMap((handler) => ['', '"', "'", '>', '-->', '</title>', '/**/'].map((lead) => `${lead}<${tag} ${handler}=window.__xss=1>`)));

put('README.md', '# Fixture\n\nA small project for the tests of the panel.\n');
put('src/parse.rs', `//! Parses rows.\n\n${Array.from({ length: 30 }, (_, at) => `/// Adds ${at}.\npub fn add_${at}(value: u64) -> u64 {\n    let more = value + ${at};\n    more * 2\n}\n`).join('\n')}`);
put('src/lex.rs', '//! Lexes.\n\npub struct Lexer {\n    pub at: usize,\n}\n\nimpl Lexer {\n    pub fn next(&mut self) -> Option<u8> {\n        self.at += 1;\n        None\n    }\n}\n');
put('src/main.py', 'import sys\n\n\ndef main():\n    """Runs."""\n    print(sys.argv)\n\n\nif __name__ == "__main__":\n    main()\n');
for (let at = 0; at < 12; at++) put(`docs/page_${at}.md`, `# Page ${at}\n\n${'Words about something that matters here. '.repeat(20 + at * 10)}\n`);
put('notes/payloads.md', `${PAYLOADS.join('\n')}\n${lots.join('\n')}\n`);
put('notes/hidden.md', 'Plain \u202e turned \u200b and \u{e0041} tagged.\n');
put('conf/dev.toml', `github = "${['ghp', 'kT9xQ2mB7vL4sZ8wN1cR6yH3jF5dG0aPuE2X'].join('_')}"\n`);
PAYLOADS.slice(0, 5).forEach((payload, at) => put(`names/${at} ${payload.replaceAll('/', '')}.md`, `# ${payload}\n`));
for (let at = 0; at < Number(many ?? 0); at++) put(`pkg${String(Math.floor(at / 500)).padStart(3, '0')}/mod${String(Math.floor(at / 25) % 20).padStart(2, '0')}/file_${at % 25}.rs`, `//! File ${at}.\npub fn value_${at}() -> u64 {\n    ${at}\n}\n`);

const git = (...args) => execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main', ...args], { cwd: root, stdio: 'ignore' });
git('init');
git('add', '-A');
git('commit', '-m', 'fixture');
put('src/lex.rs', '//! Lexes, and was changed.\n\npub struct Lexer {\n    pub at: usize,\n}\n\nimpl Lexer {\n    pub fn next(&mut self) -> Option<u8> {\n        self.at += 1;\n        None\n    }\n}\n');
