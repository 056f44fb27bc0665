import { describe, expect, test } from 'vitest';
import { isNarrow, isSameExtra, rulesOf, spread, type Edits, type Extra, type Rule } from '../src/lib/edits';
import { FileTree } from '../src/lib/tree';

const VIEWS = ['full', 'skeleton', 'outline', 'custom'];
const ALL = ['README.md', 'docs/a.md', 'docs/b.md', 'docs/c.md', 'src/lex.rs', 'src/parse.rs'];

function on(paths: string[], rules: Rule[], narrow = false): Edits {
  const tree = new FileTree(paths);
  tree.load(paths.map(() => 1), paths.map(() => 1), paths.map(() => 1));
  return { tree, views: VIEWS, ...spread(rules, tree, VIEWS, narrow) };
}
/** What is decided on each file, by path. */
function seen({ tree, edit, extra }: Edits): Record<string, unknown> {
  const name = (code: number) => (code < 0 ? 'out' : VIEWS[code - 1]);
  return Object.fromEntries(tree.paths.flatMap((path, at) => (edit[at] ? [[path, extra.has(at) ? [name(edit[at]), extra.get(at)] : name(edit[at])]] : [])));
}

describe('edits as rules', () => {
  test('a folder whose files are all alike is one rule', () => {
    const edits = on(ALL, [['docs/', 'out'], ['src/lex.rs', 'skeleton']]);
    expect(seen(edits)).toEqual({ 'docs/a.md': 'out', 'docs/b.md': 'out', 'docs/c.md': 'out', 'src/lex.rs': 'skeleton' });
    expect(edits.away).toEqual([]);
    expect(rulesOf(edits, true)).toEqual([['docs/', 'out'], ['src/lex.rs', 'skeleton']]);
  });

  test('a file that leaves the list and comes back has its edit', () => {
    const before = on(ALL, [['src/lex.rs', 'skeleton'], ['docs/a.md', 'out']]);
    const without = on(['README.md', 'docs/a.md'], rulesOf(before, false));
    expect(seen(without)).toEqual({ 'docs/a.md': 'out' });
    expect(without.away).toEqual([['src/lex.rs', 'skeleton']]);
    // What is kept meanwhile has it, too, also where the folder that is left is said as one.
    expect(rulesOf(without, true)).toContainEqual(['src/lex.rs', 'skeleton']);
    expect(seen(on(ALL, rulesOf(without, false)))).toEqual(seen(before));
  });

  test('a folder as one rule does not swallow the file that is away', () => {
    const now = on(['docs/a.md', 'docs/b.md'], [['docs/', 'full'], ['docs/c.md', 'out']]);
    expect(rulesOf(now, true)).toEqual([['docs/', 'full'], ['docs/c.md', 'out']]);
    expect(seen(on(ALL, rulesOf(now, true)))).toEqual({ 'docs/a.md': 'full', 'docs/b.md': 'full', 'docs/c.md': 'out' });
  });

  test('a tab with a narrower list keeps what it cannot see, and says nothing of it', () => {
    const narrow = on(['docs/a.md', 'docs/b.md'], [['docs/', 'out'], ['src/', 'skeleton']], true);
    narrow.edit[0] = 0;
    const kept = rulesOf(narrow, false);
    expect(seen(on(ALL, kept))).toEqual({ 'docs/b.md': 'out', 'docs/c.md': 'out', 'src/lex.rs': 'skeleton', 'src/parse.rs': 'skeleton' });
    // Nor does it speak for the whole folder where it edits all that it sees of it.
    const own = on(['docs/a.md', 'docs/b.md'], [['docs/a.md', 'out'], ['docs/b.md', 'out']], true);
    expect(seen(on(ALL, rulesOf(own, false)))).toEqual({ 'docs/a.md': 'out', 'docs/b.md': 'out' });
  });

  test('a rule that is overcome is dropped, and what this server does not know is kept', () => {
    const edits = on(ALL, [['docs/', 'out'], ['docs/a.md', 'default'], ['gone.md', 'default'], ['README.md', 'poem']]);
    expect(seen(edits)).toEqual({ 'docs/b.md': 'out', 'docs/c.md': 'out' });
    expect(edits.away).toEqual([['README.md', 'poem']]);
  });

  test('many rules are found as few are', () => {
    const paths = Array.from({ length: 200 }, (_, at) => `pkg/f${String(at).padStart(3, '0')}.rs`);
    const rules = paths.slice(0, 100).map((path): Rule => [path, 'outline']);
    expect(Object.keys(seen(on(paths, rules)))).toHaveLength(100);
  });

  test('slices and masks come along, without lines of files', () => {
    const slices = [{ start_line: 1, end_line: 3, content_hash: 'x', anchor_lines: ['secret'] }];
    const edits = on(ALL, [['src/lex.rs', 'custom', { slices }]]);
    const [rule] = rulesOf(edits, true);
    expect(rule).toEqual(['src/lex.rs', 'custom', { slices: [{ start_line: 1, end_line: 3, content_hash: 'x' }] }]);
  });
});

describe('what belongs to an edit is compared as a whole', () => {
  const one: Extra = { slices: [{ start_line: 1, end_line: 3 }] };
  test.each<[Extra | undefined, Extra | undefined, boolean]>([
    [undefined, undefined, true],
    [one, undefined, false],
    [one, { slices: [{ start_line: 1, end_line: 4 }] }, false],
    [one, { slices: [{ start_line: 1, end_line: 3, anchor_lines: ['a'] }] }, true],
    [{ mask: { a: 'def' } }, { mask: { a: 'sig' } }, false],
    [{ mask: { a: 'def' } }, { mask: { a: 'def' }, ...one }, false],
  ])('%j and %j', (a, b, same) => {
    expect(isSameExtra(a, b)).toBe(same);
  });
});

test('an address with filters, a preset or a persona may show less', () => {
  expect([{}, { budget: 1 }, { include: [] }].map(isNarrow)).toEqual([false, false, false]);
  expect([{ include: ['a'] }, { exclude: ['a'] }, { preset: 'p' }, { persona: 'p' }].map(isNarrow)).toEqual([true, true, true, true]);
});
