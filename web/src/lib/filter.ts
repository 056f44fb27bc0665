/**
 * What is typed into the filter box, and which files it means: `*.rs view:full >2k changed -test`.
 * All words must fit; a word with - or ! in front must not. Takes text and columns, gives one mark per file.
 */
export const FLAG = { error: 1, nameOnly: 2, hand: 4, changed: 8, secret: 16, hidden: 32 } as const;

export interface FilterColumns {
  path: string[];
  lower: () => string[];
  own: ArrayLike<number>;
  shown: ArrayLike<number>;
  view: ArrayLike<number>;
  flags: ArrayLike<number>;
  summary: ArrayLike<number>;
  /** What was set by hand in the panel; the flag knows of the project's own settings alone. */
  edit?: ArrayLike<number>;
  views: string[];
}

type Test = (file: number) => boolean;

export interface Filter {
  /** Words that mean nothing, to be told to the person. */
  unknown: string[];
  isEmpty: boolean;
  run(columns: FilterColumns): Uint8Array;
}

/** A glob as a regular expression: `*` within a name, `**` across folders, `?`, `[ab]`, `{a,b}`. */
export function globToRegExp(glob: string, isCaseless: boolean): RegExp {
  let out = '';
  let braces = 0;
  for (let i = 0; i < glob.length; i++) {
    const sign = glob[i];
    if (sign === '*') {
      if (glob[i + 1] === '*') {
        i++;
        if (glob[i + 1] === '/') {
          i++;
          out += '(?:[^/]*/)*';
        } else out += '.*';
      } else out += '[^/]*';
    } else if (sign === '?') out += '[^/]';
    else if (sign === '[' && glob.indexOf(']', i + 2) > 0) {
      const end = glob.indexOf(']', i + 2);
      out += `[${glob.slice(i + 1, end).replace(/^!/, '^').replace(/\\/g, '\\\\').replace(/\[/g, '\\[')}]`;
      i = end;
    } else if (sign === '{' && glob.indexOf('}', i) > 0) {
      braces++;
      out += '(?:';
    } else if (sign === '}' && braces) {
      braces--;
      out += ')';
    } else if (sign === ',' && braces) out += '|';
    else out += sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  try {
    return new RegExp(`^${out}$`, isCaseless ? 'iu' : 'u');
  } catch {
    return /^(?!)$/;
  }
}

export function parseAmount(text: string): number | null {
  const found = /^(\d+(?:[.,]\d+)?)([km]?)$/i.exec(text);
  if (!found) return null;
  const unit = found[2].toLowerCase();
  return Number(found[1].replace(',', '.')) * (unit === 'k' ? 1e3 : unit === 'm' ? 1e6 : 1);
}

/** Splits at blanks; "…" keeps blanks. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const one of text.matchAll(/([-!]?)"([^"]*)"?|(\S+)/g)) found.push(one[3] ?? `${one[1]}${one[2]}`);
  return found.filter((word) => word !== '' && word !== '-' && word !== '!');
}

const FLAGS: Record<string, number> = {
  changed: FLAG.changed, secret: FLAG.secret, hidden: FLAG.hidden, error: FLAG.error, hand: FLAG.hand, name: FLAG.nameOnly,
};
const SUMMARY: Record<string, number> = { fresh: 2, stale: 1 };

function test(word: string, columns: FilterColumns): Test | null {
  const { view, flags, shown, own, summary, views } = columns;
  const size = /^([<>])=?(.+)$/.exec(word);
  if (size) {
    const limit = parseAmount(size[2]);
    if (limit === null) return null;
    const isIn = (file: number) => (view[file] >= 0 ? shown[file] : own[file]);
    return size[1] === '>' ? (file) => isIn(file) > limit : (file) => isIn(file) < limit;
  }
  const lower = word.toLowerCase();
  const key = /^(view|is|cache):(.*)$/.exec(lower);
  if (key) {
    const value = key[2];
    if (key[1] === 'view') {
      if (value === 'out') return (file) => view[file] < 0;
      const wanted = views.flatMap((name, at) => (value !== '' && name.startsWith(value) ? [at] : []));
      return wanted.length ? (file) => wanted.includes(view[file]) : null;
    }
    if (key[1] === 'cache') {
      const state = value === 'none' ? 0 : SUMMARY[value];
      return state === undefined ? null : (file) => summary[file] === state;
    }
    return test(value, columns);
  }
  if (lower === 'hand' && columns.edit) {
    const { edit } = columns;
    return (file) => edit[file] !== 0 || (flags[file] & FLAG.hand) !== 0;
  }
  if (lower in FLAGS) return (file) => (flags[file] & FLAGS[lower]) !== 0;
  if (lower in SUMMARY) return (file) => summary[file] === SUMMARY[lower];
  if (lower === 'in') return (file) => view[file] >= 0;
  if (lower === 'out') return (file) => view[file] < 0;
  if (/^[a-z]+:/.test(lower) && !lower.includes('/')) return null;
  const isCaseless = word === lower;
  const texts = isCaseless ? columns.lower() : columns.path;
  if (/[*?[{]/.test(word)) {
    const whole = globToRegExp(word.includes('/') ? word.replace(/^\.?\//, '') : word, isCaseless);
    if (word.includes('/')) return (file) => whole.test(texts[file]);
    return (file) => whole.test(texts[file].slice(texts[file].lastIndexOf('/') + 1));
  }
  return (file) => texts[file].includes(word);
}

export function parseFilter(text: string): Filter {
  const all = words(text);
  const unknown: string[] = [];
  return {
    unknown,
    isEmpty: all.length === 0,
    run(columns) {
      unknown.length = 0;
      const tests: Test[] = [];
      for (const word of all) {
        const isNot = word.length > 1 && (word[0] === '-' || word[0] === '!');
        const found = test(isNot ? word.slice(1) : word, columns);
        if (!found) unknown.push(word);
        else tests.push(isNot ? (file) => !found(file) : found);
      }
      const marks = new Uint8Array(columns.path.length);
      for (let file = 0; file < marks.length; file++) {
        let fits = 1;
        for (const one of tests) {
          if (!one(file)) {
            fits = 0;
            break;
          }
        }
        marks[file] = fits;
      }
      return marks;
    },
  };
}
