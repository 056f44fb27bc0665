/**
 * Every action as the command that does the same. Pure: an action in, words out, and words as one line for a shell.
 * What cannot be seen or would be read by a shell is quoted; a line can always be pasted.
 */
import { hasHidden } from './hidden';
import type { Entry, Mask, Request } from './types';

/** A composition of its own, and what else must be said so that nothing but that holds. */
export interface Edited {
  entries: (string | Entry)[];
  /** Other screenshots than the project's own. */
  screenshots: string[] | null;
  /** The persona brings a preset: only another preset is stronger. */
  isOfPersona: boolean;
}

export type Action =
  | { do: 'plan'; request: Request; edited?: Edited | undefined }
  | { do: 'build'; request: Request; output?: string | undefined; copy?: boolean; edited?: Edited | undefined }
  | { do: 'send'; request: Request; edited?: Edited | undefined; provider?: string | undefined; baseUrl?: string | undefined }
  | { do: 'compose'; entries: (string | Entry)[] }
  | { do: 'show'; path: string; view: string; mask?: Mask }
  | { do: 'symbols' | 'why'; path: string; request?: Request }
  | { do: 'related'; paths: string[]; request?: Request }
  | { do: 'tokens' | 'stats' | 'scan'; request: Request }
  | { do: 'slice-make'; path: string; from: number; to: number; tag: string; comment: string }
  | { do: 'slice-resolve'; path: string }
  | { do: 'preset-list' | 'persona-list' }
  | { do: 'preset-save'; name: string; scope: string; description: string; files: (string | Entry)[]; screenshots?: string[]; isReplaced?: boolean }
  | { do: 'preset-apply' | 'preset-show'; name: string }
  | { do: 'preset-remove'; name: string; scope: string }
  | { do: 'preset-diff'; a: string; b?: string | undefined }
  | { do: 'runs-list' }
  | { do: 'runs-show' | 'runs-replay'; run: number }
  | { do: 'runs-diff'; a: number; b: number }
  | { do: 'cache-status'; request: Request }
  | { do: 'cache-clear'; paths?: string[]; stale?: boolean; all?: boolean }
  | { do: 'cache-gc' | 'cache-verify' }
  | { do: 'summarize'; request: Request; provider?: string; model?: string; maxCost?: number; dryRun?: boolean }
  | { do: 'scan-allow'; fingerprint: string; allowed?: string[] }
  | { do: 'config' | 'doctor' }
  | { do: 'config-set'; key: string; value: string; scope: string }
  | { do: 'loom'; verb: string; words?: string[]; tree?: string | undefined; flags?: [string, string | number | true | null | undefined][] }
  | { do: 'agent'; message: string; workspace?: string; session?: string; maxTokens?: number; memoryTokens?: number; model?: string; isKept?: boolean };

const PROGRAM = 'contexture';

/** `--name value`; `--name=value` where the value would pass for an option. */
function option(name: string, value: string | number | null | undefined): string[] {
  if (value === null || value === undefined || value === '') return [];
  const text = String(value);
  return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
}

function flag(name: string, isSet: unknown): string[] {
  return isSet ? [`--${name}`] : [];
}

/** A path where a command expects one: never taken for an option or for standard input. */
function place(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

function texts(words: string[]): string[] {
  return words.some((word) => word.startsWith('-')) ? ['--', ...words] : words;
}

/** The words that ask for a request. `composition` is no option: `commandLine` says it before them. */
export function requestWords(request: Request, isSent = false): string[] {
  const all: string[] = [];
  for (const path of request.paths ?? []) all.push(place(path));
  all.push(...option('preset', request.preset), ...option('persona', request.persona));
  for (const glob of request.include ?? []) all.push(...option('include', glob));
  for (const glob of request.exclude ?? []) all.push(...option('exclude', glob));
  all.push(...option('tokenizer', request.tokenizer), ...option('tier', request.tier), ...option('strategy', request.strategy));
  all.push(...option('view', request.view));
  for (const path of request.focus ?? []) all.push(...option('focus', path));
  all.push(...option('budget', request.budget), ...option('model', request.model), ...option('query', request.query));
  all.push(...option('retrieve', request.retrieve), ...flag('no-written', request.no_written));
  if (!isSent && request.format && request.format !== 'md') all.push(...option('format', request.format));
  all.push(...flag('no-history', request.history === 'without'), ...flag('history-only', request.history === 'only'));
  all.push(...flag('strict', request['strict']), ...flag('line-numbers', request.line_numbers));
  if (request.tree && request.tree !== 'none') all.push(...option('tree', request.tree));
  if (request.diff) all.push(`--diff=${request.diff}`);
  all.push(...option('log', request.log));
  if (request.base && request.base !== 'HEAD') all.push(...option('base', request.base));
  all.push(...option('message', request.message), ...option('max-answer', request.max_answer), ...flag('no-marks', request['no_marks']));
  return all;
}

/** Paths and filters alone, for commands that look at files and make no document. */
function pathWords(request: Request): string[] {
  const some: Request = {};
  if (request.paths) some.paths = request.paths;
  if (request.include) some.include = request.include;
  if (request.exclude) some.exclude = request.exclude;
  if (request.preset) some.preset = request.preset;
  if (request.persona) some.persona = request.persona;
  return requestWords(some);
}

export function words(action: Action): string[] {
  return [PROGRAM, ...verb(action)];
}

function verb(action: Action): string[] {
  switch (action.do) {
    case 'plan':
      return requestWords(action.request);
    case 'build':
      return ['build', ...requestWords(action.request), ...option('output', action.output), ...flag('copy', action.copy)];
    case 'send':
      return ['send', ...requestWords(action.request, true), ...option('provider', action.provider), ...option('base-url', action.baseUrl)];
    case 'compose':
      return ['config', 'set', 'files.paths', toml(action.entries)];
    case 'show': {
      const masks = Object.entries(action.mask ?? {}).flatMap(([symbol, mode]) => option('mask', `${symbol}=${mode}`));
      return ['show', place(action.path), ...option('view', action.view), ...masks];
    }
    case 'symbols':
      return ['symbols', place(action.path)];
    case 'related':
      return ['related', ...option('preset', action.request?.preset), ...action.paths.map(place)];
    case 'why':
      return ['why', place(action.path), ...whyWords(action.request ?? {})];
    case 'tokens':
    case 'stats':
    case 'scan':
      return [action.do, ...pathWords(action.request)];
    case 'slice-make':
      return ['slice', 'make', place(action.path), `${action.from}-${action.to}`, ...option('tag', action.tag), ...option('comment', action.comment)];
    case 'slice-resolve':
      return ['slice', 'resolve', place(action.path), '--slice', '-'];
    case 'preset-list':
      return ['preset', 'list'];
    case 'persona-list':
      return ['persona', 'list'];
    case 'preset-save': {
      const paths = action.files.map((file) => place(typeof file === 'string' ? file : file.path));
      return ['preset', 'save', ...option('description', action.description), ...flag('global', action.scope === 'global'), ...texts([action.name]), ...paths];
    }
    case 'preset-apply':
      return ['preset', 'apply', ...texts([action.name])];
    case 'preset-show':
      return ['preset', 'show', ...texts([action.name])];
    case 'preset-remove':
      return ['preset', 'rm', ...flag('global', action.scope === 'global'), ...texts([action.name])];
    case 'preset-diff':
      return ['preset', 'diff', ...texts(action.b ? [action.a, action.b] : [action.a])];
    case 'runs-list':
      return ['runs', 'list'];
    case 'runs-show':
      return ['runs', 'show', String(action.run)];
    case 'runs-replay':
      return ['runs', 'replay', String(action.run)];
    case 'runs-diff':
      return ['runs', 'diff', String(action.a), String(action.b)];
    case 'cache-status':
      return ['cache', 'status', ...pathWords(action.request)];
    case 'cache-clear':
      return ['cache', 'clear', ...flag('stale', action.stale), ...flag('all', action.all), ...(action.paths ?? []).map(place)];
    case 'cache-gc':
      return ['cache', 'gc'];
    case 'cache-verify':
      return ['cache', 'verify'];
    case 'summarize':
      return ['summarize', ...pathWords(action.request), ...option('provider', action.provider), ...option('model', action.model), ...option('max-cost', action.maxCost), ...flag('dry-run', action.dryRun)];
    case 'scan-allow':
      return ['config', 'set', 'safety.allow', toml([...(action.allowed ?? []), action.fingerprint])];
    case 'config':
      return ['config', '--origins'];
    case 'doctor':
      return ['doctor'];
    case 'config-set':
      return ['config', 'set', ...flag('global', action.scope === 'global'), action.key, ...texts([action.value])];
    case 'loom': {
      const flags = (action.flags ?? []).flatMap(([name, value]) => (value === true ? [`--${name}`] : option(name, value)));
      return ['loom', action.verb, ...option('tree', action.tree), ...flags, ...texts(action.words ?? [])];
    }
    case 'agent':
      return ['agent', ...option('message', action.message), ...option('workspace', action.workspace), ...option('session', action.session), ...option('max-tokens', action.maxTokens), ...option('memory-tokens', action.memoryTokens), ...option('model', action.model), ...flag('no-manifest', action.isKept === false)];
  }
}

function whyWords(request: Request): string[] {
  const { preset, persona, include, exclude, tokenizer, tier, strategy, view, focus, budget, model, query, retrieve } = request;
  const some: Request = {};
  Object.assign(some, { preset, persona, include, exclude, tokenizer, tier, strategy, view, focus, budget, model, query, retrieve });
  return requestWords(some);
}

const PLAIN = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** One word as bash, zsh and sh read it back. Signs nobody sees are written as escapes. */
export function quote(word: string): string {
  if (word === '') return "''";
  if (PLAIN.test(word)) return word;
  if (!/[\n\r\t]/.test(word) && !hasHidden(word)) return `'${word.replace(/'/g, `'\\''`)}'`;
  let out = '';
  for (const sign of word) {
    const code = sign.codePointAt(0) as number;
    if (sign === "'" || sign === '\\') out += `\\${sign}`;
    else if (sign === '\n') out += '\\n';
    else if (sign === '\t') out += '\\t';
    else if (sign === '\r') out += '\\r';
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (hasHidden(sign)) out += code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
    else out += sign;
  }
  return `$'${out}'`;
}

export function line(all: string[]): string {
  return all.map(quote).join(' ');
}

/** A preset that is written where nothing else is strong enough. */
const PRESET = 'edited';

/** Views, masks, slices and screenshots cannot be said by `preset save`; the settings behind it can hold them. */
function presetLines(action: Extract<Action, { do: 'preset-save' }>): string[] {
  const { name, scope, description, files, screenshots = [], isReplaced } = action;
  const set = (key: string, value: unknown) => line([PROGRAM, 'config', 'set', ...flag('global', scope === 'global'), `presets.${tomlKey(name)}.${key}`, toml(value)]);
  const isPlain = files.every((file) => typeof file === 'string' || Object.keys(file).length === 1);
  const lines = isPlain ? [line(words(action))] : [set('files', files), ...(description ? [set('description', description)] : [])];
  // What a preset of this name had before must not stay.
  if (screenshots.length || (isReplaced && !isPlain)) lines.push(set('screenshots', screenshots));
  return lines;
}

export function commandLine(action: Action): string {
  if (action.do === 'preset-save') return presetLines(action).join(' && ');
  const edited = 'edited' in action ? action.edited : undefined;
  if (!edited || !('request' in action)) return line(words(action));
  const { entries, screenshots, isOfPersona } = edited;
  if (isOfPersona) {
    const set = (key: string, value: unknown) => line([PROGRAM, 'config', 'set', `presets.${PRESET}.${key}`, toml(value)]);
    const lines = [set('files', entries), ...(screenshots?.length ? [set('screenshots', screenshots)] : [])];
    return [...lines, line(words({ ...action, request: { ...action.request, preset: PRESET } } as Action))].join(' && ');
  }
  // A variable holds for this one command and writes nothing. It is weaker than a preset, whose files are among the entries already.
  const variables = [`CONTEXTURE_FILES_PATHS=${quote(toml(entries))}`, ...(screenshots ? [`CONTEXTURE_SCREENSHOTS_PATHS=${quote(toml(screenshots))}`] : [])];
  return [...variables, line(words({ ...action, request: { ...action.request, preset: null } } as Action))].join(' ');
}

/** A preset as it stands in a file of settings, to be handed to others. */
export function presetToml({ name, description, files, screenshots }: { name: string; description: string | null; files: (string | Entry)[]; screenshots: string[] }): string {
  const list = (all: unknown[]) => (all.length ? `[\n${all.map((one) => `    ${toml(one)},\n`).join('')}]` : '[]');
  return [`[presets.${tomlKey(name)}]`, ...(description ? [`description = ${toml(description)}`] : []), `files = ${list(files)}`, ...(screenshots.length ? [`screenshots = ${list(screenshots)}`] : []), ''].join('\n');
}

/** A value as TOML on one line. */
export function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (value && typeof value === 'object') {
    const pairs = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
    return `{ ${pairs.map(([key, one]) => `${tomlKey(key)} = ${toml(one)}`).join(', ')} }`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return tomlText(String(value));
}

/** A key as it stands in TOML, and in the names of settings. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlText(key);
}

function tomlText(text: string): string {
  let out = '"';
  for (const sign of text) {
    const code = sign.codePointAt(0) as number;
    if (sign === '"' || sign === '\\') out += `\\${sign}`;
    else if (sign === '\n') out += '\\n';
    else if (sign === '\t') out += '\\t';
    else if (sign === '\r') out += '\\r';
    else if (code < 0x20 || code === 0x7f) out += `\\u${code.toString(16).padStart(4, '0')}`;
    else out += sign;
  }
  return `${out}"`;
}
