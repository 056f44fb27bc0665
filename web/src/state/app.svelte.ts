/**
 * What all screens share: the project, the address, the connection, the theme, messages and the last command line.
 * Gives reactive fields and small verbs. Must not hold file contents.
 */
import { untrack } from 'svelte';
import { api, asFailure, type Failure } from '../lib/api';
import { commandLine, type Action } from '../lib/command';
import { baseOf, screenshotsOf, type Base } from '../lib/composition';
import { formatRoute, parseRoute, type Route, type Screen } from '../lib/route';
import type { Model, Project, Request } from '../lib/types';

export type DialogName = 'help' | 'palette' | 'send' | 'save' | null;
export interface Toast {
  id: number;
  kind: 'done' | 'error' | 'info';
  text: string;
  hints: string[];
}

/** Settings of the document that live in the address. */
const TEXTS = ['preset', 'persona', 'strategy', 'model', 'query', 'tokenizer', 'format', 'tree', 'diff', 'message'] as const;
const NUMBERS = ['tier', 'budget', 'log'] as const;
const LISTS = ['include', 'exclude'] as const;
export const REQUEST_KEYS: readonly string[] = [...TEXTS, ...NUMBERS, ...LISTS, 'lines', 'written'];

export function requestOf(query: Record<string, string>): Request {
  const request: Request = {};
  // An address can hold any word. The server rejects unknown ones and lists the known ones.
  const words = request as Partial<Record<(typeof TEXTS)[number], string>>;
  for (const key of TEXTS) if (query[key]) words[key] = query[key];
  for (const key of NUMBERS) {
    const value = Number(query[key]);
    if (query[key] && Number.isFinite(value) && value >= 0) request[key] = Math.round(value);
  }
  for (const key of LISTS) {
    const all = (query[key] ?? '').split(/\s+/).filter(Boolean);
    if (all.length) request[key] = all;
  }
  if (query['lines']) request.line_numbers = true;
  if (query['written'] === 'no') request.no_written = true;
  return request;
}

const THEME = 'contexture.theme';
const KEYS = 'contexture.keys';

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing still works.
  }
}

class App {
  project = $state.raw<Project | null>(null);
  projectFailure = $state.raw<Failure | null>(null);
  route = $state.raw<Route>(parseRoute(location.hash));
  isOnline = $state(true);
  theme = $state<'auto' | 'light' | 'dark'>('auto');
  hasKeys = $state(true);
  dialog = $state<DialogName>(null);
  toasts = $state<Toast[]>([]);
  live = $state('');
  command = $state('contexture');
  /** Numbers that grow when the server says that something changed. */
  changed = $state({ runs: 0, loom: 0, cache: 0, config: 0 });
  allowed: string[] = [];
  /** Settings by key: they say which composition edits are written behind. */
  private settings = new Map<string, unknown>();
  /** All of them as one text, to see whether any is another. */
  settingsText = '';
  /** Keys of the screen that is shown; answers true when it took the key. */
  onKey: ((event: KeyboardEvent) => boolean) | null = null;

  request = $derived.by(() => requestOf(this.route.query));
  requestKey = $derived(JSON.stringify(this.request));
  model = $derived.by((): Model | null => this.project?.models.find((one) => one.name === this.request.model) ?? null);

  private toastId = 0;

  start(): void {
    const theme = kept(THEME);
    if (theme === 'light' || theme === 'dark') this.theme = theme;
    this.hasKeys = kept(KEYS) !== 'off';
    this.paint();
    window.addEventListener('hashchange', () => {
      this.route = parseRoute(location.hash);
    });
  }

  async load(): Promise<void> {
    try {
      this.project = await api.project();
      void this.loadSettings().catch(() => undefined);
      this.projectFailure = null;
      this.isOnline = true;
    } catch (error) {
      const failure = asFailure(error);
      this.isOnline = !failure.offline;
      // Another token: the server was started anew. Edits wait until its address is opened.
      if (!this.project || failure.status === 401) this.projectFailure = failure;
    }
  }

  /** Settings, for command lines that write compositions. Without them, the whole tree is a fair guess. */
  async loadSettings(): Promise<void> {
    const settings = await api.configGet();
    this.settings = new Map(settings.map(({ key, value }) => [key, value]));
    this.settingsText = JSON.stringify(settings);
    const allowed = this.settings.get('safety.allow');
    this.allowed = Array.isArray(allowed) ? allowed.map(String) : [];
  }

  /** What a document begins with, before edits. */
  base(request: Request = this.request): Base {
    return baseOf(this.settings, request);
  }

  /** Screenshots of the document, as its settings have them. */
  screenshots(request: Request = this.request): string[] {
    return screenshotsOf(this.settings, request);
  }

  go(screen: Screen, of = '', query: Record<string, string> = {}): void {
    location.hash = this.link(screen, of, query);
  }

  /** An address of another screen; what the document is asked for stays. */
  link(screen: Screen, of = '', query: Record<string, string> = {}): string {
    const all: Record<string, string> = {};
    for (const key of REQUEST_KEYS) if (this.route.query[key]) all[key] = this.route.query[key];
    return formatRoute({ screen, of, query: { ...all, ...query } });
  }

  /** Changes settings in the address without leaving the screen. */
  set(query: Record<string, string>, isNewStep = false): void {
    const hash = formatRoute({ ...this.route, query: { ...this.route.query, ...query } });
    if (hash === location.hash) return;
    if (isNewStep) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
    this.route = parseRoute(hash);
  }

  setTheme(theme: 'auto' | 'light' | 'dark'): void {
    this.theme = theme;
    keep(THEME, theme === 'auto' ? null : theme);
    this.paint();
  }

  setKeys(isOn: boolean): void {
    this.hasKeys = isOn;
    keep(KEYS, isOn ? null : 'off');
  }

  private paint(): void {
    if (this.theme === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.dataset['theme'] = this.theme;
  }

  /** The command line of what was just done. */
  did(action: Action): void {
    this.command = commandLine(action);
  }

  say(text: string): void {
    // The same words twice are said twice.
    this.live = untrack(() => this.live) === text ? `${text}\u00a0` : text;
  }

  toast(kind: Toast['kind'], text: string, hints: string[] = []): void {
    const id = ++this.toastId;
    this.toasts = [...this.toasts.slice(-3), { id, kind, text, hints }];
    if (kind !== 'error') window.setTimeout(() => this.dismiss(id), 6000);
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((one) => one.id !== id);
  }

  /** Tells of a failure; what was stopped on purpose needs no telling. */
  fail(error: unknown): void {
    const failure = asFailure(error);
    if (failure.kind === 'stopped') return;
    if (failure.offline) {
      this.isOnline = false;
      return;
    }
    this.toast('error', failure.message, failure.hints);
  }

  async copy(text: string | Promise<string>, what: string): Promise<boolean> {
    try {
      if (typeof text !== 'string' && typeof ClipboardItem !== 'undefined') {
        const blob = text.then((one) => new Blob([one], { type: 'text/plain' }));
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      } else {
        await navigator.clipboard.writeText(await text);
      }
    } catch (error) {
      let all: string;
      try {
        all = await text;
      } catch (cause) {
        this.fail(cause);
        return false;
      }
      if (!copyByHand(all)) {
        this.toast('error', 'The browser did not allow copying.', [String(error instanceof Error ? error.message : error)]);
        return false;
      }
    }
    this.toast('done', `Copied ${what}.`);
    return true;
  }
}

function copyByHand(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}

export const app = new App();
