/**
 * The one way to the server: POST with JSON, two GETs, a stream of JSON lines, a stream of events.
 * Takes names and objects, gives typed answers or a `Failure`. Must not keep answers and must not see the token.
 */
import type {
  AgentContext, CacheStatus, Check, Composed, ComposeSet, Health, LoomNode, LoomOutline, LoomTree, Mask, Note, Persona, Plan,
  Preset, PresetDiff, Preview, Project, Refreshed, Request, Run, RunDiff, RunRow, Scan, Setting, Shown, Slice, Symbol, Views, Why,
} from './types';

/** What went wrong, in the server's words. `offline` = nothing answered at all. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly kind: string,
    message: string,
    readonly hints: string[] = [],
    readonly code = 0,
  ) {
    super(message);
  }
  get offline(): boolean {
    return this.kind === 'offline';
  }
}

export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(0, 'panel', error instanceof Error ? error.message : String(error));
}

const OPEN = 'Open the address that `contexture serve` printed. Edits of the composition are kept.';

async function failed(response: Response): Promise<Failure> {
  try {
    const body = (await response.json()) as { error?: { code?: number; kind?: string; message?: string; hints?: string[] } };
    const error = body.error;
    if (error?.message) {
      const hints = error.hints?.length || response.status !== 401 ? (error.hints ?? []) : [OPEN];
      return new Failure(response.status, error.kind ?? '', error.message, hints, error.code ?? 0);
    }
  } catch {
    // No JSON: the status has to do.
  }
  const hint = response.status === 401 ? [OPEN] : [];
  return new Failure(response.status, response.status === 401 ? 'token' : '', `The server answered ${response.status}.`, hint);
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw new Failure(0, 'stopped', 'Stopped.');
    throw new Failure(0, 'offline', 'The server does not answer.', ['Start it again with `contexture serve`.']);
  }
  if (!response.ok) throw await failed(response);
  return response;
}

function posted(name: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  if (signal) init.signal = signal;
  return reach(`/api/${name}`, init);
}

export async function post<T>(name: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await posted(name, body, signal);
  return (await response.json()) as T;
}

/** Reads a stream of JSON lines; what is no JSON is passed over. */
export async function lines(name: string, body: unknown, each: (line: Record<string, unknown>) => void, signal?: AbortSignal): Promise<void> {
  const response = await posted(name, body, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const take = (text: string) => {
    if (!text.trim()) return;
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {
      return;
    }
    if (line && typeof line === 'object') each(line as Record<string, unknown>);
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      rest += value;
      let end: number;
      while ((end = rest.indexOf('\n')) >= 0) {
        take(rest.slice(0, end));
        rest = rest.slice(end + 1);
      }
    }
    take(rest);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw new Failure(0, 'stopped', 'Stopped.');
    throw new Failure(0, 'offline', 'The stream broke off.');
  }
}

export interface ServerEvents {
  up(): void;
  down(): void;
  event(name: string, data: Record<string, unknown>): void;
}

const EVENTS = ['hello', 'files', 'runs', 'loom', 'cache', 'config'];

/**
 * Listens until told not to. Comes back by itself after a loss, a little slower each time. A tab that nobody sees does not listen: a browser
 * opens six connections to a server at most, and tabs that wait in the background would take all of them. `hello` tells what was missed.
 */
export function listen(to: ServerEvents): () => void {
  let source: EventSource | null = null;
  let timer = 0;
  let tries = 0;
  let isOver = false;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    source = new EventSource('/api/events');
    source.onopen = () => {
      tries = 0;
      to.up();
    };
    source.onerror = () => {
      close();
      if (isOver) return;
      to.down();
      timer = window.setTimeout(open, Math.min(500 * 1.6 ** tries++, 5000));
    };
    for (const name of EVENTS) {
      source.addEventListener(name, (message) => {
        let data: unknown = {};
        try {
          data = JSON.parse((message as MessageEvent<string>).data || '{}');
        } catch {
          // The event alone says enough.
        }
        to.event(name, (data ?? {}) as Record<string, unknown>);
      });
    }
  };
  const look = () => {
    if (document.visibilityState === 'hidden') {
      close();
    } else if (!source) {
      tries = 0;
      open();
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', look);
    close();
  };
}

export interface SetOne {
  index: number[];
  view: string;
  mask?: Mask;
  slices?: Slice[];
}

export const api = {
  project: async () => (await (await reach('/api/project', {})).json()) as Project,
  compose: (request: Request, signal?: AbortSignal) => post<Composed>('compose', { request }, signal),
  composeSet: (bench: string | number, set: SetOne[]) => post<ComposeSet>('compose/set', { bench, set }),
  composeRefresh: (bench: string | number, paths: string[]) => post<Refreshed>('compose/refresh', { bench, paths }),
  composeRequest: (bench: string | number) => post<{ request: Request }>('compose/request', { bench }),
  plan: (request: Request, signal?: AbortSignal) => post<Plan>('plan', { request }, signal),
  preview: (request: Request, signal?: AbortSignal) => post<Preview>('preview', { request }, signal),
  build: (request: Request) => post<Plan>('build', { request }),
  views: (path: string, request?: Request) => post<Views>('views', { path, request }),
  show: (path: string, view: string, mask: Mask, request?: Request) => post<Shown>('show', { path, view, mask, request }),
  symbols: (path: string) => post<Symbol[]>('symbols', { path }),
  related: (paths: string[], request?: Request) => post<{ of: string[]; files: { path: string; imported: boolean; names: string[]; reason: string }[] }>('related', { paths, request }),
  why: (path: string, request?: Request) => post<Why>('why', { path, request }),
  sliceMake: (path: string, start_line: number, end_line: number, tag: string, comment: string) =>
    post<Slice>('slice/make', { path, start_line, end_line, tag: tag || null, comment: comment || null }),
  sliceResolve: (path: string, slices: Slice[]) => post<{ slices: Health[] }>('slice/resolve', { path, slices }),
  presetList: async () => (await post<{ presets: Preset[] }>('preset/list', {})).presets,
  presetSave: (name: string, scope: string, description: string, files: unknown[], screenshots: string[]) =>
    post<{ saved: string; file: string; notes: { text: string; path: string | null }[] }>('preset/save', { name, scope, description: description || null, files, screenshots }),
  presetApply: (name: string) => post<{ applied: Preset }>('preset/apply', { name }),
  presetDiff: (a: string, b?: string) => post<PresetDiff>('preset/diff', b ? { a, b } : { a }),
  presetRemove: (name: string, scope: string) => post<{ removed: string; file: string }>('preset/remove', { name, scope }),
  personaList: async () => (await post<{ personas: Persona[] }>('persona/list', {})).personas,
  runsList: async (limit = 200) => (await post<{ runs: RunRow[] }>('runs/list', { limit })).runs,
  runsShow: (run: number | string) => post<Run>('runs/show', { run }),
  runsDiff: (a: number, b: number) => post<RunDiff>('runs/diff', { a, b }),
  runsReplay: (run: number) => post<{ number: number; same: boolean; difference?: RunDiff | null }>('runs/replay', { run }),
  cacheStatus: (request: Request) => post<CacheStatus>('cache/status', { request }),
  cacheClear: (what: { paths?: string[]; stale?: true; all?: true }) => post<{ removed: number; freed_bytes: number }>('cache/clear', what),
  cacheGc: () => post<{ removed: number; freed_bytes: number }>('cache/gc', {}),
  cacheVerify: () => post<{ ok: boolean; summaries: { ok?: boolean; text?: string } | null; derived: { ok: boolean; text: string } | null }>('cache/verify', {}),
  scan: (request: Request) => post<Scan>('scan', { request }),
  scanAllow: (fingerprint: string) => post<{ file: string }>('scan/allow', { fingerprint }),
  configGet: async () => (await post<{ settings: Setting[] }>('config/get', {})).settings,
  configSet: (key: string, value: unknown, scope: string) => post<{ file: string }>('config/set', { key, value, scope }),
  doctor: async () => (await post<{ checks: Check[] }>('doctor', {})).checks,
  loomTrees: async () => (await post<{ trees: LoomTree[] }>('loom/trees', {})).trees,
  loomNew: (title: string, mode: string, system: string) => post<{ tree: LoomTree }>('loom/new', { title, mode, system: system || null }),
  loomOutline: (tree?: string) => post<LoomOutline>('loom/outline', tree ? { tree, all: true } : { all: true }),
  loomImport: (name: string, text: string, copy: boolean) =>
    post<{ format: string; trees: LoomTree[]; skipped: Record<string, number>; notes: Note[] }>('loom/import', { name, text, copy }),
  loomExport: (tree: string, format: string) => post<{ files: { path: string; bytes: number; text: string }[]; notes: Note[] }>('loom/export', { tree, format }),
  loom: (verb: string, body: Record<string, unknown>) => post<{ node?: LoomNode; nodes?: LoomNode[] } & Record<string, unknown>>(`loom/${verb}`, body),
  agent: (body: Record<string, unknown>) => post<AgentContext>('agent', body),
};
