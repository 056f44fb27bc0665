import { describe, expect, test } from 'vitest';
import { FileTree, ROOT } from '../src/lib/tree';

const PATHS = ['README.md', 'a-b/x.rs', 'a/deep/er/z.rs', 'a/m.rs', 'a/n.rs', 'b/one.py'].sort();

function loaded(paths = PATHS): FileTree {
  const tree = new FileTree(paths);
  tree.load(paths.map(() => 100), paths.map((_, at) => at + 1), paths.map(() => 1));
  return tree;
}
const names = (tree: FileTree, rows: Int32Array) => [...rows].map((node) => tree.path(node) + (tree.isFolder(node) ? '/' : ''));

describe('a tree', () => {
  test('has every file once and every folder once', () => {
    const tree = loaded();
    tree.openTo(99);
    expect(names(tree, tree.visible(null))).toEqual(['a/', 'a/deep/', 'a/deep/er/', 'a/deep/er/z.rs', 'a/m.rs', 'a/n.rs', 'a-b/', 'a-b/x.rs', 'b/', 'b/one.py', 'README.md']);
  });

  test('shows only what is open', () => {
    const tree = loaded();
    tree.openTo(0);
    expect(names(tree, tree.visible(null))).toEqual(['a/', 'a-b/', 'b/', 'README.md']);
    tree.reveal(tree.find('a/deep/er/z.rs'));
    expect(names(tree, tree.visible(null))).toContain('a/deep/er/z.rs');
  });

  test('sums go up to the root and follow every change', () => {
    const tree = loaded();
    expect(tree.shown[ROOT]).toBe(21);
    expect(tree.count[ROOT]).toBe(6);
    const file = PATHS.indexOf('a/deep/er/z.rs');
    tree.update(file, 0, 0);
    expect(tree.shown[ROOT]).toBe(21 - (file + 1));
    expect(tree.state(tree.find('a'))).toBe(2);
    expect(tree.state(tree.find('a/deep'))).toBe(0);
    expect(tree.state(tree.find('b'))).toBe(1);
    tree.update(file, file + 1, 1);
    expect(tree.shown[ROOT]).toBe(21);
    expect(tree.state(tree.find('a'))).toBe(1);
  });

  test('a filter opens the way to what fits, and nothing else', () => {
    const tree = loaded();
    const match = Uint8Array.from(PATHS, (path) => (path.endsWith('z.rs') ? 1 : 0));
    expect(names(tree, tree.visible(match))).toEqual(['a/', 'a/deep/', 'a/deep/er/', 'a/deep/er/z.rs']);
    expect(names(tree, tree.visible(match, new Set([tree.find('a')])))).toEqual(['a/']);
    expect(tree.filesUnder(tree.find('a'), match).map((file) => PATHS[file])).toEqual(['a/deep/er/z.rs']);
  });

  test('sorts by tokens from most to least', () => {
    const tree = loaded();
    tree.openTo(99);
    tree.sort('tokens');
    expect(names(tree, tree.visible(null))[0]).toBe('a/');
    const inA = names(tree, tree.visible(null)).filter((name) => /^a\/[mn]/.test(name));
    expect(inA).toEqual(['a/n.rs', 'a/m.rs']);
  });

  test('finds files and folders by path, and what is not there not', () => {
    const tree = loaded();
    expect(tree.path(tree.find('a/m.rs'))).toBe('a/m.rs');
    expect(tree.isFolder(tree.find('a/deep'))).toBe(true);
    expect(tree.find('a/q.rs')).toBe(-1);
    expect(tree.find('zzz/q.rs')).toBe(-1);
  });

  test('says edits briefly: a folder where all of it is the same', () => {
    const tree = loaded();
    const code = new Int8Array(PATHS.length);
    for (const file of tree.filesUnder(tree.find('a'))) code[file] = -1;
    code[PATHS.indexOf('b/one.py')] = 2;
    const brief = tree.brief(code, () => false);
    expect(brief.map(({ path, code: said }) => [path, said])).toEqual([['a/', -1], ['b/one.py', 2]]);
    const alone = tree.brief(code, (file) => PATHS[file] === 'a/m.rs');
    expect(alone.map((one) => one.path)).toEqual(['a/deep/er/z.rs', 'a/m.rs', 'a/n.rs', 'b/one.py']);
  });

  test('odd names and unsorted paths do no harm', () => {
    const paths = ['z/y', 'a', 'z/x', '__proto__/constructor', 'z/y/..', '<img src=x>/b'];
    const tree = loaded(paths);
    tree.openTo(99);
    expect(tree.count[ROOT]).toBe(paths.length);
    expect(tree.filesUnder(ROOT).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('a path thousands of folders deep', () => {
    const paths = [`${'d/'.repeat(5000)}f`];
    const tree = loaded(paths);
    tree.openTo(65_535);
    expect(tree.visible(null).length).toBe(5001);
    expect(tree.shown[ROOT]).toBe(1);
  });

  test('a hundred thousand files: built at once, a toggle in no time', () => {
    const paths: string[] = [];
    for (let a = 0; a < 200; a++) for (let b = 0; b < 20; b++) for (let c = 0; c < 25; c++) paths.push(`pkg${a}/mod${b}/file${c}.rs`);
    paths.sort();
    let from = performance.now();
    const tree = loaded(paths);
    tree.openTo(99);
    expect(tree.visible(null).length).toBe(100_000 + 4000 + 200);
    expect(performance.now() - from).toBeLessThan(1500);
    from = performance.now();
    for (let file = 0; file < 1000; file++) tree.update(file * 97, 0, 0);
    expect((performance.now() - from) / 1000).toBeLessThan(1);
    from = performance.now();
    tree.visible(null);
    expect(performance.now() - from).toBeLessThan(150);
  });
});
