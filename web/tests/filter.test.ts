import { describe, expect, test } from 'vitest';
import { FLAG, globToRegExp, parseAmount, parseFilter, words, type FilterColumns } from '../src/lib/filter';

const path = ['README.md', 'src/Parse.rs', 'src/deep/lex.rs', 'src/main.py', 'tests/parse_test.rs', 'web/a b.ts'];
const columns: FilterColumns = {
  path,
  lower: () => path.map((one) => one.toLowerCase()),
  own: [100, 3000, 500, 50, 2500, 10],
  shown: [110, 3010, 120, 0, 2510, 20],
  view: [0, 0, 1, -1, 0, 1],
  flags: [0, FLAG.changed, FLAG.secret, 0, FLAG.changed | FLAG.error, FLAG.hidden],
  summary: [2, 1, 0, 0, 0, 0],
  views: ['full', 'skeleton', 'summary'],
};
const found = (text: string) => {
  const marks = parseFilter(text).run(columns);
  return path.filter((_, at) => marks[at]);
};

describe('the filter', () => {
  test.each([
    ['*.rs', ['src/Parse.rs', 'src/deep/lex.rs', 'tests/parse_test.rs']],
    ['parse', ['src/Parse.rs', 'tests/parse_test.rs']],
    ['Parse', ['src/Parse.rs']],
    ['*.rs view:full >2k changed', ['src/Parse.rs', 'tests/parse_test.rs']],
    ['*.rs -test', ['src/Parse.rs', 'src/deep/lex.rs']],
    ['!*.rs', ['README.md', 'src/main.py', 'web/a b.ts']],
    ['src/*.rs', ['src/Parse.rs']],
    ['src/**/*.rs', ['src/Parse.rs', 'src/deep/lex.rs']],
    ['*.{py,md}', ['README.md', 'src/main.py']],
    ['view:skel', ['src/deep/lex.rs', 'web/a b.ts']],
    ['view:out', ['src/main.py']],
    ['out', ['src/main.py']],
    ['secret', ['src/deep/lex.rs']],
    ['is:hidden', ['web/a b.ts']],
    ['error', ['tests/parse_test.rs']],
    ['fresh', ['README.md']],
    ['cache:stale', ['src/Parse.rs']],
    ['<60', ['src/main.py', 'web/a b.ts']],
    ['"a b"', ['web/a b.ts']],
    ['', path],
  ])('%s', (text, wanted) => {
    expect(found(text)).toEqual(wanted);
  });

  test('names what it does not know and goes on without it', () => {
    const filter = parseFilter('changed:main view:nonsense parse');
    const marks = filter.run(columns);
    expect(filter.unknown).toEqual(['changed:main', 'view:nonsense']);
    expect(path.filter((_, at) => marks[at])).toEqual(['src/Parse.rs', 'tests/parse_test.rs']);
  });

  test('amounts', () => {
    expect(parseAmount('2k')).toBe(2000);
    expect(parseAmount('1.5M')).toBe(1_500_000);
    expect(parseAmount('x')).toBeNull();
  });

  test('words keep quoted blanks; a sign alone is none', () => {
    expect(words('a -"b c" - !')).toEqual(['a', '-b c']);
  });

  test('broken globs match nothing and throw nothing', () => {
    for (const glob of ['[', '[z-a]', '{a', '***', '\\', '(', 'a{b,c', '[]']) expect(() => globToRegExp(glob, true).test('abc')).not.toThrow();
  });
});
