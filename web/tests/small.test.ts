import { describe, expect, test } from 'vitest';
import { clients } from '../src/lib/clients';
import { bytes, count, money, percent, short, signed, tail } from '../src/lib/format';
import { hasHidden, pieces, visibleName } from '../src/lib/hidden';
import { LONGEST, search, TextRows } from '../src/lib/lines';
import { LoomTreeModel } from '../src/lib/loomtree';
import { scopeOf } from '../src/lib/origin';
import { argumentsOf, callerOf, compareItems } from '../src/lib/rundiff';
import { formatRoute, parseRoute } from '../src/lib/route';
import { treemap } from '../src/lib/treemap';
import type { Item, LoomNode, Request } from '../src/lib/types';
import { Undo } from '../src/lib/undo';

describe('undo', () => {
  test('a hundred steps and no more, in both directions', () => {
    const undo = new Undo<number>(100);
    for (let step = 0; step < 130; step++) undo.push(step);
    expect(undo.size).toBe(100);
    for (let step = 129; step >= 30; step--) expect(undo.undo()).toBe(step);
    expect(undo.undo()).toBeUndefined();
    expect(undo.ahead).toBe(100);
    expect(undo.redo()).toBe(30);
    undo.push(999);
    expect(undo.ahead).toBe(0);
    expect(undo.last).toBe(999);
  });
  test('steps can be rewritten and dropped', () => {
    const undo = new Undo<number>(5);
    [1, 2, 3].forEach((step) => undo.push(step));
    undo.undo();
    undo.map((step) => (step === 1 ? null : step * 10));
    expect(undo.undo()).toBe(20);
    expect(undo.undo()).toBeUndefined();
    expect(undo.redo()).toBe(20);
    expect(undo.redo()).toBe(30);
  });
});

describe('hidden characters', () => {
  test.each([
    ['plain text, tabs\tand ünïcödé', 'plain text, tabs\tand ünïcödé'],
    ['a\u202eb', 'a<U+202E>b'],
    ['\u200b\u200b', '<U+200B><U+200B>'],
    ['tag\u{e0041}!', 'tag<U+E0041>!'],
    ['\ud800lone', '<U+D800>lone'],
    ['\u0000\u001b[31m', '<U+0000><U+001B>[31m'],
    ['a\rb\r', 'a<U+000D>b'],
    ['👩‍🚀 ok', '👩<U+200D>🚀 ok'],
    ['❤️', '❤️'],
    ['\ufeffbom', '<U+FEFF>bom'],
  ])('%j', (line, drawn) => {
    expect(pieces(line).map((piece) => piece.text).join('')).toBe(drawn);
    if (!line.endsWith('\r')) expect(hasHidden(line)).toBe(line !== drawn);
  });
  test('pieces say which of them are drawn', () => {
    expect(pieces('a\u202eb')).toEqual([{ text: 'a', hidden: false }, { text: '<U+202E>', hidden: true }, { text: 'b', hidden: false }]);
  });
  test('names stay on one line', () => {
    expect(visibleName('a\nb\tc\u202e')).toBe('a<U+000A>b<U+0009>c<U+202E>');
  });
});

describe('rows of a text', () => {
  test.each(['', '\n', 'a', 'a\n', 'a\nb', 'a\n\nb\n', 'x'.repeat(LONGEST * 2 + 5), `ü${'😀'.repeat(LONGEST)}\nend`])('rows give the text back (%#)', (text) => {
    const rows = new TextRows(text);
    let back = '';
    for (let row = 0; row < rows.rows; row++) {
      if (row > 0 && !rows.isContinued(row)) back += '\n';
      back += rows.row(row);
    }
    expect(back === text || `${back}\n` === text).toBe(true);
  });
  test('bytes become places', () => {
    const text = 'aü😀b\nçd\n';
    const rows = new TextRows(text);
    const bytesOf = new TextEncoder();
    for (let at = 0; at <= text.length; at++) {
      if (at === 3) continue; // within a pair
      expect(rows.charOfByte(bytesOf.encode(text.slice(0, at)).length)).toBe(at);
    }
  });
  test('lines become rows', () => {
    const rows = new TextRows(`${'y'.repeat(LONGEST + 1)}\nsecond\nthird`);
    expect(rows.rowOfLine(2)).toBe(2);
    expect(rows.row(rows.rowOfLine(3))).toBe('third');
    expect(rows.line[rows.rowOfChar(rows.text.indexOf('third'))]).toBe(3);
  });
  test('search', () => {
    expect(search('Aa a.a', 'a')).toEqual([0, 1, 3, 5]);
    expect(search('Aa a.a', 'A')).toEqual([0]);
    expect(search('Aa a.a', 'a.a')).toEqual([3]);
    expect(search('x'.repeat(9000), 'x').length).toBe(5000);
  });
  test('five megabytes are cut in time', () => {
    const text = 'pub fn line(value: u64) -> u64 { value + 1 }\n'.repeat(116_000);
    const from = performance.now();
    const rows = new TextRows(text);
    rows.charOfByte(5_000_000);
    expect(performance.now() - from).toBeLessThan(500);
    expect(rows.rows).toBe(116_000);
  });
});

describe('addresses', () => {
  test.each([
    ['#/compose', { screen: 'compose', of: '', query: {} }],
    ['#/file/src/a%20b%23.rs?budget=32000&v=full%2Cskeleton', { screen: 'file', of: 'src/a b#.rs', query: { budget: '32000', v: 'full,skeleton' } }],
    ['', { screen: 'compose', of: '', query: {} }],
    ['#/nonsense/x', { screen: 'compose', of: 'x', query: {} }],
    ['#/file/%E0%A4%A', { screen: 'file', of: '%E0%A4%A', query: {} }],
  ])('%s', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });
  test('any path survives', () => {
    for (const of of ['a/b', 'a?b=c', '<img src=x>', '100%', 'ü/\n', 'a#b']) {
      expect(parseRoute(formatRoute({ screen: 'file', of, query: { f: 'x & y' } }))).toEqual({ screen: 'file', of, query: { f: 'x & y' } });
    }
  });
});

describe('figures', () => {
  test('as people read them', () => {
    expect([count(1234567), count(null), short(9999), short(12_345), short(1_234_567)]).toEqual(['1,234,567', '–', '9,999', '12.3k', '1.23M']);
    expect([bytes(10), bytes(2048), bytes(5_200_000)]).toEqual(['10 B', '2.0 KB', '5.0 MB']);
    expect([percent(1, 3), percent(0, 3), percent(1, 0), percent(1, 100_000)]).toEqual(['33%', '0%', '–', '<0.1%']);
    expect([signed(5), signed(-5), signed(0), money(0.0004), money(0.181), money(null)]).toEqual(['+5', '−5', '±0', '$0.0004', '$0.181', '–']);
    expect(tail('crates/contexture-core/src/reuse/mod.rs', 20)).toBe('…/src/reuse/mod.rs');
  });
  test('a map has the areas of its values and stays inside', () => {
    const values = [50, 0, 30, 10, 5, 5];
    const boxes = treemap(values, 0, 0, 300, 200);
    values.forEach((value, at) => {
      const { x, y, w, h } = boxes[at];
      expect(w * h).toBeCloseTo((value / 100) * 60_000, 3);
      expect(x >= -1e-6 && y >= -1e-6 && x + w <= 300.001 && y + h <= 200.001).toBe(true);
    });
    expect(treemap([], 0, 0, 10, 10)).toEqual([]);
  });
});

describe('a loom', () => {
  const node = (local: string, parent: string | null, more: Partial<LoomNode> = {}): LoomNode => ({
    id: local, local, text: local, message: null, author: 'human', author_type: 'human', author_name: 'human', edited_from: null, hash: '', pruned_with: null, origin: null, created: '', excluded: false, pruned: false, bookmarked: false,
    bookmark: null, parent, depth: 0, on_path: false, active: false, pinned: false, annotation: false, continuations: 0, tokens: 1, ...more,
  });
  const nodes = [node('r', null, { on_path: true }), node('a', 'r'), node('a1', 'a'), node('b', 'r', { on_path: true }), node('b1', 'b', { on_path: true }), node('n', 'b', { annotation: true })];
  const model = new LoomTreeModel(nodes);
  const at = (local: string) => model.at.get(local) as number;
  test('walks to parents, children and siblings', () => {
    expect(model.parent[at('a1')]).toBe(at('a'));
    expect(model.child(at('r'), new Map())).toBe(at('b'));
    expect(model.child(at('r'), new Map([[at('r'), at('a')]]))).toBe(at('a'));
    expect(model.child(at('a1'), new Map())).toBe(at('a1'));
    expect(model.sibling(at('a'), 1)).toBe(at('b'));
    expect(model.sibling(at('b'), 1)).toBe(at('b'));
  });
  test('sets only side branches in', () => {
    const rows = model.order(null);
    expect(rows.map((one) => model.nodes[one].local)).toEqual(['r', 'a', 'a1', 'b', 'b1', 'n']);
    expect([...model.indents(rows)]).toEqual([0, 1, 1, 0, 0, 1]);
    expect(model.order(at('a')).map((one) => model.nodes[one].local)).toEqual(['a', 'a1']);
  });
  test('lists forks, and tells what stands before the first exclusion', () => {
    expect(model.forks().map((one) => model.nodes[one].local)).toEqual(['r']);
    expect(model.leaves()).toBeNull();
    const path = (out: string[]) => new LoomTreeModel(['r', 'b', 'c', 'd'].map((local, at, all) => node(local, all[at - 1] ?? null, { on_path: true, tokens: 10 * (at + 1), excluded: out.includes(local) })));
    expect(path(['c', 'd']).leaves()).toEqual({ at: 2, kept: 30 });
    expect(path(['r']).leaves()).toEqual({ at: 0, kept: 0 });
    const beside = new LoomTreeModel([node('r', null, { on_path: true }), node('a', 'r', { excluded: true }), node('b', 'r', { on_path: true })]);
    expect(beside.leaves()).toBeNull();
  });
  test('draws a hundred thousand nodes in a line without a stack', () => {
    const long = Array.from({ length: 100_000 }, (_, index) => node(`n${index}`, index ? `n${index - 1}` : null));
    const from = performance.now();
    const big = new LoomTreeModel(long);
    expect(big.layout(null).length).toBe(100_000);
    expect(performance.now() - from).toBeLessThan(1500);
  });
});

test('snippets for clients are what they claim to be', () => {
  const all = clients('/home/me/a "b"');
  expect(all.length).toBeGreaterThanOrEqual(6);
  for (const one of all) {
    if (one.where.endsWith('.json')) expect(JSON.stringify(JSON.parse(one.text))).toContain('a \\"b\\"');
  }
  expect(all[0].text).toBe(`claude mcp add contexture -- contexture mcp --root '/home/me/a "b"'`);
});

describe('a run beside another document', () => {
  const item = (path: string, view: string, tokens: number, hash: string, kind = 'file'): Item => ({ path, view, tokens, hash, kind, reason: '' });
  test('tells what came, went and changed', () => {
    const diff = compareItems([item('a', 'full', 9, '1'), item('b', 'full', 9, '1'), item('c', 'full', 9, '1')], [item('a', 'full', 9, '1'), item('b', 'skeleton', 4, '1'), item('d', 'full', 2, '1')]);
    expect(diff.added.map((one) => one.path)).toEqual(['d']);
    expect(diff.removed.map((one) => one.path)).toEqual(['c']);
    expect(diff.changed.map(({ path, content, view, tokens }) => [path, content, view.new, tokens.new])).toEqual([['b', false, 'skeleton', 4]]);
    expect(diff.same).toBe(false);
  });
  test('takes a file and a passage of it for two', () => {
    const both = [item('a', 'full', 9, '1'), item('a', 'full', 3, '1', 'passage')];
    expect(compareItems(both, both).same).toBe(true);
    expect(compareItems(both, [both[0]]).removed).toEqual([both[1]]);
  });
  test('tells who asked and for what', () => {
    const document = { paths: [], budget: 400, query: 'hi', strict: false, mask: {}, model: null, caller: 'mcp: x', target: null } as unknown as Request;
    expect(callerOf(document)).toBe('mcp: x');
    expect(callerOf({})).toBeNull();
    expect(argumentsOf(document)).toEqual([['budget', '400'], ['query', 'hi']]);
    expect(argumentsOf(undefined)).toEqual([]);
  });
});

test('a policy is changed where the project sets it, otherwise in the settings of the user', () => {
  expect(['contexture.toml:3', 'ci/own.toml:12'].map(scopeOf)).toEqual(['project', 'project']);
  expect(['default', 'user config.toml:3', 'env CONTEXTURE_SAFETY_SECRETS', ''].map(scopeOf)).toEqual(['global', 'global', 'global', 'global']);
});
