/**
 * Every action as the command that does the same. Pure: an action in, words out, and words as one line for a shell.
 * An option has the name of its field in the request (`max_cost` is `--max-cost`); tables list the fields that are said in another way.
 */
import { line, quote } from './shell';
import { toml, tomlKey } from './toml';
import type { AgentBody, Entry, LoomBody, Mask, Request, SendBody, SummarizeBody } from './types';

/** A composition of its own, and what else must be said so that nothing but that holds. */
export interface Edited {
  entries: (string | Entry)[];
  /** Other screenshots than the project's own. */
  screenshots: string[] | null;
  /** The persona brings a preset: only another preset is stronger. */
  isOfPersona: boolean;
}

/** Where `do` is not a name of its own, it is the words of the command. */
export type Action =
  | { do: 'plan'; request: Request; edited?: Edited | undefined }
  | { do: 'build'; request: Request; output?: string; copy?: boolean; edited?: Edited | undefined }
  | { do: 'send'; request: Request; body: SendBody; edited?: Edited | undefined }
  | { do: 'show'; path: string; view: string; mask?: Mask }
  | { do: 'why'; path: string; request: Request }
  | { do: 'related'; paths: string[]; request: Request }
  | { do: 'slice make'; path: string; start_line: number; end_line: number; tag: string; comment: string }
  | { do: 'preset save'; name: string; scope: string; description: string; files: (string | Entry)[]; screenshots?: string[]; isReplaced?: boolean }
  | { do: 'preset apply' | 'preset rm' | 'preset diff' | 'runs show' | 'runs replay' | 'runs diff'; names: (string | number)[]; scope?: string }
  | { do: 'preset list' | 'runs list' | 'cache gc' | 'cache verify' | 'config --origins' | 'doctor' }
  | { do: 'scan' | 'cache status'; request: Request }
  | { do: 'cache clear'; paths?: string[]; stale?: boolean; all?: boolean }
  | { do: 'summarize'; request: Request; body: SummarizeBody }
  | { do: 'config set'; key: string; value: string; scope: string }
  | { do: 'loom'; verb: string; body?: LoomBody }
  | { do: 'agent'; body: AgentBody };

const PROGRAM = 'contexture';

/** How fields are said that are not options of their own name and value. */
type Exceptions<T> = { [K in keyof T]?: (value: NonNullable<T[K]>) => string[] };

/** Fields of a request that a command line can have, in the order it has them. `composition` is said before the command. */
const DOCUMENT = [
  'paths', 'preset', 'persona', 'include', 'exclude', 'tokenizer', 'tier', 'strategy', 'view', 'focus', 'budget', 'model', 'query', 'retrieve', 'no_written', 'format', 'history', 'strict',
  'line_numbers', 'tree', 'diff', 'log', 'base', 'message', 'max_answer', 'no_marks',
] as const satisfies (keyof Request)[];
/** Those that say which files, for commands that look at files and make no document. */
const FILES: readonly (keyof Request)[] = ['paths', 'preset', 'persona', 'include', 'exclude'];
/** Those that decide on one file. */
const ONE_FILE = DOCUMENT.slice(DOCUMENT.indexOf('preset'), DOCUMENT.indexOf('no_written'));

const DOCUMENT_EXCEPTIONS: Exceptions<Request> = {
  paths: (paths) => paths.map(place),
  format: (format) => (format === 'md' ? [] : option('format', format)),
  history: (history) => [...option('no_history', history === 'without'), ...option('history_only', history === 'only')],
  tree: (tree) => (tree === 'none' ? [] : option('tree', tree)),
  diff: (revision) => (revision ? [`--diff=${revision}`] : []),
  base: (revision) => (revision === 'HEAD' ? [] : option('base', revision)),
};

/** Operations on trees whose command has another name, and fields that are words of it. */
const LOOM_VERBS: Record<string, string> = { go: 'path' };
const LOOM_WORDS: (keyof LoomBody)[] = ['node', 'title', 'name', 'text'];
const LOOM_EXCEPTIONS: Exceptions<LoomBody> = {
  mode: (mode) => (mode === 'dialogue' ? [] : option('mode', mode)),
  parents: (parents) => option('parent', parents),
  author_type: (kind) => option('as', kind),
};

/** `--name value`, `--name` for what is true, once for each of a list; `--name=value` where the value would pass for an option. */
function option(field: string, value: unknown): string[] {
  if (value === null || value === undefined || value === '' || value === false) return [];
  if (Array.isArray(value)) return value.flatMap((one) => option(field, one));
  const name = `--${field.replaceAll('_', '-')}`;
  if (value === true) return [name];
  const text = String(value);
  return text.startsWith('-') ? [`${name}=${text}`] : [name, text];
}

function options<T extends object>(body: T, except: Exceptions<T> = {}, fields: readonly (keyof T)[] = Object.keys(body) as (keyof T)[]): string[] {
  return fields.flatMap((field) => {
    const value = body[field];
    return value === null || value === undefined ? [] : (except[field]?.(value) ?? option(String(field), value));
  });
}

/** A path where a command expects one: never taken for an option or for standard input. */
function place(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

function texts(words: string[]): string[] {
  return words.some((word) => word.startsWith('-')) ? ['--', ...words] : words;
}

function requestWords(request: Request, fields: readonly (keyof Request)[] = DOCUMENT): string[] {
  return options(request, DOCUMENT_EXCEPTIONS, fields);
}

export function words(action: Action): string[] {
  return [PROGRAM, ...verb(action)];
}

function verb(action: Action): string[] {
  const name = action.do.split(' ');
  switch (action.do) {
    case 'plan':
      return requestWords(action.request);
    case 'build': {
      const { request, output, copy } = action;
      return ['build', ...requestWords(request), ...options({ output, copy })];
    }
    case 'send':
      return ['send', ...requestWords({ ...action.request, format: null }), ...options(action.body)];
    case 'show': {
      const mask = Object.entries(action.mask ?? {}).map(([symbol, mode]) => `${symbol}=${mode}`);
      return ['show', place(action.path), ...options({ view: action.view, mask })];
    }
    case 'why':
      return ['why', place(action.path), ...requestWords(action.request, ONE_FILE)];
    case 'related':
      return ['related', ...requestWords(action.request, ['preset']), ...action.paths.map(place)];
    case 'slice make': {
      const { path, start_line, end_line, tag, comment } = action;
      return [...name, place(path), `${start_line}-${end_line}`, ...options({ tag, comment })];
    }
    case 'preset save': {
      const paths = action.files.map((file) => place(typeof file === 'string' ? file : file.path));
      return [...name, ...options({ description: action.description, global: action.scope === 'global' }), ...texts([action.name]), ...paths];
    }
    case 'scan':
    case 'cache status':
      return [...name, ...requestWords(action.request, FILES)];
    case 'cache clear': {
      const { paths = [], stale, all } = action;
      return [...name, ...options({ stale, all }), ...paths.map(place)];
    }
    case 'summarize':
      return ['summarize', ...requestWords(action.request, FILES), ...options(action.body)];
    case 'config set':
      return [...name, ...option('global', action.scope === 'global'), action.key, ...texts([action.value])];
    case 'loom': {
      const { verb, body = {} } = action;
      const fields = Object.keys(body) as (keyof LoomBody)[];
      const said = LOOM_WORDS.filter((field) => body[field]).map((field) => String(body[field]));
      return ['loom', LOOM_VERBS[verb] ?? verb, ...options(body, LOOM_EXCEPTIONS, fields.filter((field) => !LOOM_WORDS.includes(field))), ...texts(said)];
    }
    case 'agent':
      return ['agent', ...options(action.body)];
    default:
      return 'names' in action ? [...name, ...option('global', action.scope === 'global'), ...texts(action.names.map(String))] : name;
  }
}

/** A preset that is written where nothing else is strong enough. */
const PRESET = 'edited';

function setPreset(name: string, key: string, value: unknown, scope = ''): string {
  return line(words({ do: 'config set', key: `presets.${tomlKey(name)}.${key}`, value: toml(value), scope }));
}

/** Views, masks, slices and screenshots cannot be said by `preset save`; the settings behind it can hold them. */
function presetLines(action: Extract<Action, { do: 'preset save' }>): string[] {
  const { name, scope, description, files, screenshots = [], isReplaced } = action;
  const isPlain = files.every((file) => typeof file === 'string' || Object.keys(file).length === 1);
  const lines = isPlain ? [line(words(action))] : [setPreset(name, 'files', files, scope), ...(description ? [setPreset(name, 'description', description, scope)] : [])];
  // What a preset of this name had before must not stay.
  if (screenshots.length || (isReplaced && !isPlain)) lines.push(setPreset(name, 'screenshots', screenshots, scope));
  return lines;
}

export function commandLine(action: Action): string {
  if (action.do === 'preset save') return presetLines(action).join(' && ');
  if (!('edited' in action) || !action.edited) return line(words(action));
  const { entries, screenshots, isOfPersona } = action.edited;
  const withPreset = (preset: string | null) => line(words({ ...action, request: { ...action.request, preset } }));
  if (isOfPersona) {
    const lines = [setPreset(PRESET, 'files', entries), ...(screenshots?.length ? [setPreset(PRESET, 'screenshots', screenshots)] : [])];
    return [...lines, withPreset(PRESET)].join(' && ');
  }
  // A variable holds for this one command and writes nothing. It is weaker than a preset, whose files are among the entries already.
  const variables = [`CONTEXTURE_FILES_PATHS=${quote(toml(entries))}`, ...(screenshots ? [`CONTEXTURE_SCREENSHOTS_PATHS=${quote(toml(screenshots))}`] : [])];
  return [...variables, withPreset(null)].join(' ');
}
