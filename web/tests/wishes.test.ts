import { describe, expect, test } from 'vitest';
import { breakRow, changeRows, hunkRows, itemRows } from '../src/lib/changes';
import { commandLine } from '../src/lib/command';
import { FileTree } from '../src/lib/tree';
import { fileName, readText, TREE_FORMATS } from '../src/lib/treefiles';
import type { DiffLines, SinceLast } from '../src/lib/types';

const LINES: DiffLines = {
  added: 2,
  removed: 1,
  hunks: [
    { old_start: 4, old_lines: 3, new_start: 4, new_lines: 3, byte: 40, item: 'src/a.rs', lines: [[' ', 'same', 0], ['-', 'old', 0], ['+', 'new', 12], [' ', 'end', 0]] },
    { old_start: 20, old_lines: 0, new_start: 20, new_lines: 1, byte: 300, item: null, lines: [['+', 'more', 0]] },
  ],
  left: { hunks: 2, lines: 9 },
};

describe('changes since a run', () => {
  test('each line has its number on the side it is on', () => {
    const rows = changeRows(LINES);
    expect(rows.map((row) => row.kind)).toEqual(['hunk', 'same', 'removed', 'added', 'same', 'hunk', 'added', 'left']);
    expect(rows.map((row) => [row.old, row.new])).toEqual([[null, null], [4, 4], [5, null], [null, 5], [6, 6], [null, null], [null, 20], [null, null]]);
    expect(rows[0].text).toBe('@@ -4,3 +4,3 @@ src/a.rs');
    expect(rows[7].text).toBe('9 more changed lines in 2 more places are not shown');
    expect(hunkRows(rows)).toEqual([0, 5]);
    expect(breakRow(rows)).toBe(2);
    expect(breakRow([])).toBe(-1);
  });

  test('items are told with what became of them', () => {
    const item = (path: string, tokens: number) => ({ path, kind: 'file', view: 'full', tokens, hash: null, reason: '' });
    const last: SinceLast = {
      run: 3, same: false, first_difference: null, kept: { bytes: 0, tokens: 0, exact: true }, altered: [], lines: null,
      added: [item('new.rs', 5)], removed: [item('old.rs', 7)],
      changed: [
        { path: 'a.rs', kind: 'file', content: true, view: { old: 'full', new: 'full' }, tokens: { old: 4, new: 6 }, reason: { old: '', new: '' } },
        { path: 'b.rs', kind: 'file', content: true, view: { old: 'full', new: 'skeleton' }, tokens: { old: 9, new: 2 }, reason: { old: '', new: '' } },
      ],
    };
    expect(itemRows(last)).toEqual([
      { path: 'a.rs', what: 'content changed', tokens: 2 },
      { path: 'b.rs', what: 'full → skeleton', tokens: -7 },
      { path: 'new.rs', what: 'added as full', tokens: 5 },
      { path: 'old.rs', what: 'removed', tokens: -7 },
    ]);
  });
});

describe('trees as files', () => {
  test('a title becomes a name that leads nowhere', () => {
    const [json] = TREE_FORMATS;
    expect(fileName('../../etc/passwd', json)).toBe('etc-passwd.json');
    expect(fileName('Why, \u202eüber?', json)).toBe('Why- -über.json');
    expect(fileName('...', json)).toBe('tree.json');
    expect(fileName('a'.repeat(300), json)).toHaveLength(85);
  });
  test('what is no text is not guessed', async () => {
    expect(await readText(new Blob(['grün']))).toBe('grün');
    expect(await readText(new Blob([new Uint8Array([0x66, 0xff, 0x66])]))).toBeNull();
  });
  test('the command of what was done', () => {
    expect(commandLine({ do: 'loom', verb: 'export', body: { tree: 't1', format: 'pi', output: 'my tree.jsonl' } })).toBe("contexture loom export --tree t1 --format pi --output 'my tree.jsonl'");
    expect(commandLine({ do: 'related', paths: ['src/a.rs', '-b.rs'], request: {} })).toBe('contexture related src/a.rs ./-b.rs');
  });
});

test('a file that grew on disk grows in all folders above it', () => {
  const tree = new FileTree(['a/b/c.rs', 'a/d.rs']);
  tree.load([10, 5], [10, 5], [1, 1]);
  tree.addOwn(0, 7);
  expect(tree.own[0]).toBe(22);
  expect(tree.own[tree.find('a/b')]).toBe(17);
  expect(tree.own[tree.find('a/d.rs')]).toBe(5);
});
