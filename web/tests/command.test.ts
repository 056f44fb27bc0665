import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commandLine, words, type Action } from '../src/lib/command';
import { line, quote } from '../src/lib/shell';
import { presetToml, toml } from '../src/lib/toml';
import type { Entry } from '../src/lib/types';

/** What bash makes of a line: the words, one by one. */
function shellWords(text: string): string[] {
  const out = execFileSync('bash', ['-c', `printf '%s\\0' ${text}`], { env: { ...process.env, LC_ALL: 'C.UTF-8' } }).toString('utf8');
  return out.split('\0').slice(0, -1);
}

describe('quoting', () => {
  const HARD = [
    'plain', '', 'a b', "it's", '"', '$HOME', '`id`', '$(id)', 'a;b', 'a&b', '*', '?', '~', '~root', '!x', '#x', '=ls', 'a=b', '--x=y z', 'back\\slash',
    'new\nline', 'tab\there', 'ret\rurn', "both ' and \n", '\u001b[31mred', '\u202ertl', 'zero\u200bwidth', '\u{e0041}tag', 'ünï–ço∂é', '{a,b}', '[x]', '(y)', '<z>', '|', '^', '%', '<img src=x onerror=alert(1)>',
  ];
  test.each(HARD)('%j comes back from bash as it was', (word) => {
    expect(shellWords(quote(word))).toEqual([word]);
  });
  test('all of them in one line', () => {
    expect(shellWords(line(HARD))).toEqual(HARD);
  });
  test('nothing that cannot be seen stays in a line', () => {
    expect(quote('\u202ea\u200b')).toBe("$'\\u202ea\\u200b'");
    expect(quote('a\nb')).not.toContain('\n');
  });
});

describe('commands', () => {
  test.each<[Action, string]>([
    [{ do: 'plan', request: {} }, 'contexture'],
    [{ do: 'build', request: { budget: 32000, query: 'why does it fail?', format: 'md' } }, "contexture build --budget 32000 --query 'why does it fail?'"],
    [{ do: 'build', request: { format: 'anthropic', model: 'claude-sonnet-4-5' }, output: '-' }, 'contexture build --model claude-sonnet-4-5 --format anthropic --output=-'],
    [{ do: 'build', request: { diff: 'HEAD~2', tree: 'selected', line_numbers: true, log: 5 }, copy: true }, "contexture build --line-numbers --tree selected '--diff=HEAD~2' --log 5 --copy"],
    [{ do: 'show', path: '-x.rs', view: 'masked', mask: { 'A::b': 'def', c: 'hide' } }, 'contexture show ./-x.rs --view masked --mask A::b=def --mask c=hide'],
    [{ do: 'slice make', path: 'a b.rs', start_line: 3, end_line: 9, tag: 'core', comment: '-odd' }, "contexture slice make 'a b.rs' 3-9 --tag core --comment=-odd"],
    [{ do: 'config set', key: 'files.paths', value: toml(['**', { path: 'src/a.rs', view_mode: 'skeleton' }, { path: 'b/**', auto_aggregate: false }]), scope: 'project' }, `contexture config set files.paths '["**", { path = "src/a.rs", view_mode = "skeleton" }, { path = "b/**", auto_aggregate = false }]'`],
    [{ do: 'preset save', name: 'bug', scope: 'global', description: 'for the bug', files: ['a.rs', { path: 'b.rs' }] }, "contexture preset save --description 'for the bug' --global bug a.rs b.rs"],
    [{ do: 'config set', key: 'safety.allow', value: toml(['f1', 'f2']), scope: 'global' }, `contexture config set --global safety.allow '["f1", "f2"]'`],
    [{ do: 'preset rm', names: ['-odd'], scope: 'project' }, 'contexture preset rm -- -odd'],
    [{ do: 'runs diff', names: [1, 2] }, 'contexture runs diff 1 2'],
    [{ do: 'cache clear', stale: true }, 'contexture cache clear --stale'],
    [{ do: 'cache clear', paths: ['a', '-b'] }, 'contexture cache clear a ./-b'],
    [{ do: 'loom', verb: 'exclude', body: { tree: 'bug', node: 'k3f9', undo: true } }, 'contexture loom exclude --tree bug --undo k3f9'],
    [{ do: 'loom', verb: 'add', body: { text: '- a list\n- of two', parents: ['k3f9'], author_type: 'human' } }, "contexture loom add --parent k3f9 --as human -- $'- a list\\n- of two'"],
    [{ do: 'agent', body: { message: 'hi', max_tokens: 4000 } }, 'contexture agent --message hi --max-tokens 4000'],
    [{ do: 'agent', body: { message: 'hi', no_manifest: true } }, 'contexture agent --message hi --no-manifest'],
    [{ do: 'send', request: { message: 'go', format: 'anthropic', model: 'm' }, body: { provider: 'anthropic' } }, 'contexture send --model m --message go --provider anthropic'],
    [{ do: 'why', path: 'a.rs', request: { budget: 10, tree: 'full' } }, 'contexture why a.rs --budget 10'],
    [{ do: 'config --origins' }, 'contexture config --origins'],
    [{ do: 'loom', verb: 'go', body: { tree: undefined, node: 'k3f9' } }, 'contexture loom path k3f9'],
    [{ do: 'loom', verb: 'new', body: { title: 'a tree', mode: 'dialogue', system: null } }, "contexture loom new 'a tree'"],
    [{ do: 'summarize', request: { paths: ['src'], budget: 9 }, body: { model: 'm', max_cost: 2, dry_run: false } }, 'contexture summarize src --model m --max-cost 2'],
    [{ do: 'plan', request: { history: 'only', base: 'HEAD', no_marks: true, strict: false, focus: ['a', '-b'] } }, 'contexture --focus a --focus=-b --history-only --no-marks'],
    [{ do: 'config set', key: 'safety.secrets', value: 'deny', scope: 'project' }, 'contexture config set safety.secrets deny'],
  ])('%j', (action, wanted) => {
    expect(commandLine(action)).toBe(wanted);
    expect(shellWords(commandLine(action))).toEqual(words(action));
  });

  test.each<[Action, string]>([
    [{ do: 'preset save', name: 'bug', scope: 'project', description: '', files: ['a.rs', { path: 'b.rs', view_mode: 'outline' }] }, `contexture config set presets.bug.files '["a.rs", { path = "b.rs", view_mode = "outline" }]'`],
    [{ do: 'preset save', name: 'bug', scope: 'project', description: '', files: ['a.rs'], screenshots: ['s/one.png'] }, `contexture preset save bug a.rs && contexture config set presets.bug.screenshots '["s/one.png"]'`],
    [{ do: 'preset save', name: 'bug', scope: 'global', description: 'why', files: [{ path: 'b.rs', view_mode: 'outline' }], screenshots: [], isReplaced: true }, `contexture config set --global presets.bug.files '[{ path = "b.rs", view_mode = "outline" }]' && contexture config set --global presets.bug.description '"why"' && contexture config set --global presets.bug.screenshots '[]'`],
  ])('a preset with views or screenshots is written by its settings: %j', (action, wanted) => {
    expect(commandLine(action)).toBe(wanted);
  });

  const entries: (string | Entry)[] = ['**', { path: "it's.rs", view_mode: 'skeleton' }];
  test('a composition of its own goes before the command, and writes nothing', () => {
    const said = commandLine({ do: 'build', request: { preset: 'foo', budget: 9, composition: entries }, edited: { entries, screenshots: null, isOfPersona: false }, output: '-' });
    expect(said).toBe(`CONTEXTURE_FILES_PATHS='["**", { path = "it'\\''s.rs", view_mode = "skeleton" }]' contexture build --budget 9 --output=-`);
    const value = execFileSync('bash', ['-c', `${said.replace(/contexture build.*/, '')} printenv CONTEXTURE_FILES_PATHS`]).toString('utf8').trimEnd();
    expect(value).toBe(toml(entries));
  });
  test('screenshots of the preset that it came from go with it', () => {
    const said = commandLine({ do: 'send', request: { message: 'go' }, body: {}, edited: { entries: ['a.rs'], screenshots: [], isOfPersona: false } });
    expect(said).toBe(`CONTEXTURE_FILES_PATHS='["a.rs"]' CONTEXTURE_SCREENSHOTS_PATHS='[]' contexture send --message go`);
  });
  test('where the persona has a preset, only another preset is stronger', () => {
    const said = commandLine({ do: 'build', request: { persona: 'p' }, edited: { entries: ['a.rs'], screenshots: ['s.png'], isOfPersona: true } });
    expect(said).toBe(`contexture config set presets.edited.files '["a.rs"]' && contexture config set presets.edited.screenshots '["s.png"]' && contexture build --preset edited --persona p`);
  });

  test('TOML on one line', () => {
    expect(toml({ 'odd key': 'a"b\\c\n', n: 1, on: true, list: [1, 'x'], nothing: null })).toBe('{ "odd key" = "a\\"b\\\\c\\n", n = 1, on = true, list = [1, "x"] }');
  });
});

test('a preset as TOML', () => {
  expect(presetToml({ name: 'a b', description: null, files: ['src/**', { path: 'b.rs', view_mode: 'outline' }], screenshots: [] })).toBe('[presets."a b"]\nfiles = [\n    "src/**",\n    { path = "b.rs", view_mode = "outline" },\n]\n');
  expect(presetToml({ name: 'core', description: 'It "is"', files: [], screenshots: ['a.png'] })).toBe('[presets.core]\ndescription = "It \\"is\\""\nfiles = []\nscreenshots = [\n    "a.png",\n]\n');
});
