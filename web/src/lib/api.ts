/**
 * The one way to the server: POST with JSON, two GETs, a stream of JSON lines, a stream of events.
 * Takes names and objects, gives typed answers or a `Failure`. Must not keep answers and must not see the token.
 */
import type {
  Answers, Bodies, Line, LoomVerb, Mask, Preset, PresetDiff, Refreshed, Request, Run, Scope, SetOne, Slice, Wrong,
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
    const body = (await response.json()) as { error?: Partial<Wrong> };
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

function posted<K extends keyof Bodies>(name: K, body: Bodies[K], signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  if (signal) init.signal = signal;
  return reach(`/api/${name}`, init);
}

/** An operation with the types that the server's list has for it. */
async function post<K extends keyof Bodies>(name: K, body: Bodies[K], signal?: AbortSignal): Promise<Answers[K]> {
  const response = await posted(name, body, signal);
  return (await response.json()) as Answers[K];
}

/** Reads a stream of JSON lines; what is no JSON is passed over. */
async function lines<K extends 'send' | 'summarize'>(name: K, body: Bodies[K], each: (line: Line<K>) => void, signal?: AbortSignal): Promise<void> {
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
    if (line && typeof line === 'object') each(line as Line<K>);
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

export const api = {
  project: async () => (await (await reach('/api/project', {})).json()) as Answers['project'],
  compose: (request: Request, signal?: AbortSignal) => post('compose', { request }, signal),
  composeSet: (bench: number, set: SetOne[]) => post('compose/set', { bench, set }),
  composeRefresh: async (bench: number, paths: string[]) => (await post('compose/refresh', { bench, paths })) as Refreshed,
  composeRequest: async (bench: number) => (await post('compose/request', { bench })).request as Request,
  plan: (request: Request, signal?: AbortSignal) => post('plan', { request }, signal),
  preview: (request: Request, signal?: AbortSignal) => post('preview', { request }, signal),
  build: (request: Request) => post('build', { request }),
  views: (path: string, request?: Request) => post('views', { path, request }),
  show: (path: string, view: Bodies['show']['view'], mask: Mask, request?: Request) => post('show', { path, view, mask, request }),
  symbols: (path: string) => post('symbols', { path }),
  related: (paths: string[], request?: Request) => post('related', { paths, request }),
  why: (path: string, request?: Request) => post('why', { path, request }),
  sliceMake: (path: string, start_line: number, end_line: number, tag: string, comment: string) =>
    post('slice/make', { path, start_line, end_line, tag: tag || null, comment: comment || null }),
  sliceResolve: (path: string, slices: Slice[]) => post('slice/resolve', { path, slices }),
  presetList: async () => (await post('preset/list', {})).presets as Preset[],
  presetSave: (body: Bodies['preset/save']) => post('preset/save', body),
  presetApply: async (name: string) => (await post('preset/apply', { name })).applied as Preset,
  presetDiff: async (a: string, b?: string) => (await post('preset/diff', b ? { a, b } : { a })) as PresetDiff,
  presetRemove: (body: Bodies['preset/remove']) => post('preset/remove', body),
  personaList: async () => (await post('persona/list', {})).personas,
  runsList: async (limit = 200) => (await post('runs/list', { limit })).runs,
  runsShow: async (run: number | string) => (await post('runs/show', { run })) as Run,
  runsDiff: (a: number, b: number) => post('runs/diff', { a, b }),
  runsReplay: (run: number) => post('runs/replay', { run }),
  cacheStatus: (request: Request) => post('cache/status', { request }),
  cacheClear: (what: Bodies['cache/clear']) => post('cache/clear', what),
  cacheGc: () => post('cache/gc', {}),
  cacheVerify: () => post('cache/verify', {}),
  scan: (request: Request) => post('scan', { request }),
  scanAllow: (fingerprint: string) => post('scan/allow', { fingerprint }),
  configGet: async () => (await post('config/get', {})).settings,
  configSet: (key: string, value: string, scope: Scope) => post('config/set', { key, value, scope }),
  doctor: async () => (await post('doctor', {})).checks,
  loomTrees: async () => (await post('loom/trees', {})).trees,
  loomNew: (body: Bodies['loom/new']) => post('loom/new', body),
  loomOutline: (tree?: string) => post('loom/outline', tree ? { tree, all: true } : { all: true }),
  loomImport: (name: string, text: string, copy: boolean) => post('loom/import', { name, text, copy }),
  loomExport: (body: Bodies['loom/export']) => post('loom/export', body),
  loomAssemble: (body: Bodies['loom/assemble']) => post('loom/assemble', body),
  loomAct: <V extends LoomVerb>(verb: V, body: Bodies[`loom/${V}`]) => post<`loom/${V}`>(`loom/${verb}`, body),
  agent: (body: Bodies['agent']) => post('agent', body),
  send: (body: Bodies['send'], each: (line: Line<'send'>) => void, signal: AbortSignal) => lines('send', body, each, signal),
  summarize: (body: Bodies['summarize'], each: (line: Line<'summarize'>) => void, signal: AbortSignal) => lines('summarize', body, each, signal),
};
