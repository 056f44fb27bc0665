/**
 * The composition on the bench: columns as the server has them, edits as the person made them, and the way between.
 * An edit shows at once, is sent at once, and is kept (as path and view, never as text) until the server has it.
 * Nothing here walks all files for a single toggle.
 */
import { api, asFailure, Failure, type SetOne } from '../lib/api';
import { toml, type Edited } from '../lib/command';
import { folderGlob } from '../lib/composition';
import { isNarrow, isSameExtra, rulesOf, spread, viewCode, type Edits, type Extra, type Rule } from '../lib/edits';
import { parseFilter, FLAG, type FilterColumns } from '../lib/filter';
import { FileTree } from '../lib/tree';
import { Undo } from '../lib/undo';
import type { Count, Entry, Note, Plan, Prefix, Refreshed, Request } from '../lib/types';
import { app } from './app.svelte';

export const OUT = -1;
interface EditStep {
  label: string;
  files: Int32Array;
  before: Int8Array;
  after: Int8Array;
  extraBefore: (Extra | undefined)[];
  extraAfter: (Extra | undefined)[];
  /** Rules of files that are not in the list, where the step is about them, too. */
  away?: { before: Rule[]; after: Rule[] };
}
interface Saved {
  v: 1;
  by: string;
  edits: Rule[];
}

/** As much of a composition as is said in one word of a command line. */
const LONGEST = 100_000;
/** How long a document waits for the composition it is made of, in milliseconds. */
const PATIENCE = 120_000;

/** Why nothing is built, copied or sent. It is said aloud, also where the server does not answer. */
function unsent(text: string, hints: string[]): Failure {
  return new Failure(0, 'unsent', `${text} No document was made.`, hints);
}

const TAB = Math.random().toString(36).slice(2);

class Bench {
  state = $state<'empty' | 'loading' | 'ready' | 'failed'>('empty');
  failure = $state.raw<Failure | null>(null);
  /** Grows with every change of figures; `shape` with every change of what there is. */
  rev = $state(0);
  shape = $state(0);
  tokens = $state.raw<Count | null>(null);
  prefix = $state.raw<Prefix | null>(null);
  notes = $state.raw<Note[]>([]);
  leftOut = $state.raw<{ path: string; reason: string }[]>([]);
  isWaiting = $state(false);
  edits = $state(0);
  undoSize = $state(0);
  redoSize = $state(0);
  flagged = $state.raw({ secrets: 0, hidden: 0, errors: 0, changed: 0 });
  plan = $state.raw<Plan | null>(null);
  planRev = $state(-1);
  planFailure = $state.raw<Failure | null>(null);
  isPlanning = $state(false);
  /** Edits that the server does not take, and why. They wait for the person. */
  stuck = $state.raw<Failure | null>(null);

  id: string | number | null = null;
  views: string[] = [];
  tree = new FileTree([]);
  view = new Int16Array(0);
  shown = new Int32Array(0);
  own = new Int32Array(0);
  bytes = new Float64Array(0);
  flags = new Uint8Array(0);
  summary = new Uint8Array(0);
  edit = new Int8Array(0);
  extra = new Map<number, Extra>();
  /** Edits of files that are not in the list now. */
  away: Rule[] = [];
  /** Where the edits are kept: they belong to this project and to no other. */
  private keptAt: string | null = null;

  /** What the server said of the composition, also of files that were left out since. */
  private told: Note[] = [];
  private base = new Int16Array(0);
  private reason = new Int32Array(0);
  private reasons: string[] = [];
  private reasonAt = new Map<string, number>();
  private lower: string[] | null = null;
  private dirty = new Set<number>();
  private isSending = false;
  /** The step the server has not answered yet. */
  private fresh: EditStep | null = null;
  private composing: AbortController | null = null;
  private undos = new Undo<EditStep>(100);
  private saver = 0;
  private teller = 0;
  private planning: AbortController | null = null;
  private composedKey = '';
  /** What was asked for last, whether it came or not. */
  private askedKey = '';
  /** What the stream of events began with while a composition was under way. */
  private heardAt = 0;
  /** The last change of files that is in the composition, or on its way there. */
  generation = 0;
  /** What changed on disk and was not read again yet. */
  private stale = new Set<string>();
  private isRefreshing = false;

  get files(): number {
    void this.shape;
    return this.tree.paths.length;
  }

  columns(): FilterColumns {
    return {
      path: this.tree.paths,
      lower: () => (this.lower ??= this.tree.paths.map((path) => path.toLowerCase())),
      own: this.own, shown: this.shown, view: this.view, flags: this.flags, summary: this.summary, edit: this.edit, views: this.views,
    };
  }

  match(text: string): { marks: Uint8Array | null; unknown: string[] } {
    const filter = parseFilter(text);
    if (filter.isEmpty) return { marks: null, unknown: [] };
    const marks = filter.run(this.columns());
    return { marks, unknown: [...filter.unknown] };
  }

  isIn(file: number): boolean {
    const view = this.view[file];
    return view >= 0 && this.views[view] !== 'none';
  }

  viewName(file: number): string {
    return this.view[file] < 0 ? 'out' : this.views[this.view[file]];
  }

  why(file: number): string {
    return this.reasons[this.reason[file]] ?? '';
  }

  /** Whether the person decided on this file here and now. */
  isEdited(file: number): boolean {
    return this.edit[file] !== 0;
  }

  // --- asking -------------------------------------------------------------------------------------------------------

  /** Composes for what the address asks for. Edits, open folders and undo steps stay. */
  async compose(isSilent = false): Promise<void> {
    this.composing?.abort();
    const stop = new AbortController();
    this.composing = stop;
    if (!isSilent || this.state !== 'ready') this.state = this.state === 'ready' ? 'ready' : 'loading';
    this.isWaiting = true;
    const key = app.requestKey;
    this.askedKey = key;
    try {
      const answer = await api.compose(app.request, stop.signal);
      if (stop.signal.aborted) return;
      performance.mark('compose-answer');
      this.take(answer);
      this.composedKey = key;
      this.generation = answer.generation;
      performance.mark('compose-taken');
      this.failure = null;
      this.state = 'ready';
      app.isOnline = true;
      await this.flush();
    } catch (error) {
      if (stop.signal.aborted) return;
      const failure = asFailure(error);
      if (failure.offline) app.isOnline = false;
      if (failure.offline && this.state === 'ready') return;
      this.failure = failure;
      this.state = 'failed';
    } finally {
      if (this.composing === stop) {
        this.composing = null;
        this.isWaiting = this.isSending;
        // Files changed while they were read, and nobody listened yet.
        const heard = this.heardAt;
        this.heardAt = 0;
        if (this.state === 'ready' && heard > this.generation) void this.compose(true);
      }
    }
  }

  /** The stream of events begins, at this change of files. After a gap, other things than files may have changed, too. */
  async heard(generation: number, isAfterGap = false): Promise<void> {
    if (this.composing) {
      this.heardAt = generation;
    } else if (this.state === 'ready') {
      if (generation !== this.generation) await this.compose(true);
      else if (isAfterGap) await this.check();
    }
  }

  /** Composes again where settings are others, or the server does not know the bench. */
  private async check(): Promise<void> {
    const before = app.settingsText;
    try {
      await app.loadSettings();
    } catch {
      return;
    }
    if (app.settingsText !== before) await this.compose(true);
    else await this.askPrefix();
  }

  isFor(key: string): boolean {
    return this.composedKey === key && this.state === 'ready';
  }

  private take(answer: Awaited<ReturnType<typeof api.compose>>): void {
    const { columns } = answer;
    const isSameProject = this.keptAt === this.key();
    const before: Edits | null = isSameProject && (this.state === 'ready' || this.files) ? { tree: this.tree, edit: this.edit, extra: this.extra, views: this.views, away: this.away } : null;
    const paths = columns.path;
    const isSameTree = this.files === paths.length && paths.every((path, at) => path === this.tree.paths[at]);
    const opened = this.tree.opened();
    const hadFiles = this.files > 0;
    if (!isSameTree) {
      this.tree = new FileTree(paths);
      this.lower = null;
      if (hadFiles) for (const path of opened) this.openPath(path);
      else this.tree.openTo(paths.length <= 300 ? 99 : 1);
    }
    this.id = answer.bench;
    this.views = answer.views;
    this.view = Int16Array.from(columns.view);
    this.base = this.view.slice();
    this.shown = Int32Array.from(columns.shown);
    this.own = Int32Array.from(columns.own);
    this.bytes = Float64Array.from(columns.bytes);
    this.flags = Uint8Array.from(columns.flags);
    this.summary = Uint8Array.from(columns.summary);
    this.reasons = [...answer.reasons];
    this.reasonAt = new Map(this.reasons.map((text, at) => [text, at]));
    this.reason = Int32Array.from(columns.reason);
    this.tokens = answer.tokens;
    this.prefix = answer.prefix ?? null;
    this.told = answer.notes;
    this.notes = answer.notes;
    this.leftOut = answer.left_out;
    this.edit = new Int8Array(paths.length);
    this.extra = new Map();
    this.dirty.clear();
    this.fresh = null;
    const inside = new Uint8Array(paths.length);
    for (let file = 0; file < paths.length; file++) {
      inside[file] = this.isIn(file) ? 1 : 0;
    }
    this.countFlags();
    this.tree.load(this.own, this.shown, inside);
    if (before) {
      const places = isSameTree ? null : new Map(paths.map((path, at) => [path, at]));
      this.putBack(before, isSameTree);
      this.undos.map((step) => remap(step, before.tree.paths, places));
    } else {
      this.keptAt = this.key();
      this.edits = 0;
      this.away = [];
      this.undos.clear();
      this.readSaved();
    }
    this.undoSize = this.undos.size;
    this.redoSize = this.undos.ahead;
    this.shape++;
    this.rev++;
  }

  private countFlags(): void {
    const flagged = { secrets: 0, hidden: 0, errors: 0, changed: 0 };
    for (const flags of this.flags) {
      if (flags & FLAG.secret) flagged.secrets++;
      if (flags & FLAG.hidden) flagged.hidden++;
      if (flags & FLAG.error) flagged.errors++;
      if (flags & FLAG.changed) flagged.changed++;
    }
    this.flagged = flagged;
  }

  // --- what changes on disk -----------------------------------------------------------------------------------------

  /** Reads again what changed. Only where files came or went, or all may have changed, the whole is composed. */
  async refresh(paths: string[]): Promise<void> {
    for (const path of paths) this.stale.add(path);
    if (this.isRefreshing) return;
    this.isRefreshing = true;
    try {
      while (this.stale.size) {
        const some = [...this.stale];
        this.stale.clear();
        if (!(await this.readAgain(some))) {
          this.stale.clear();
          await this.compose(true);
        }
      }
    } finally {
      this.isRefreshing = false;
    }
  }

  /** Whether it is done; if not, only a new composition helps. */
  private async readAgain(paths: string[]): Promise<boolean> {
    const id = this.id;
    if (this.state !== 'ready' || id === null || this.composing) return false;
    this.isWaiting = true;
    try {
      const answer = await api.composeRefresh(id, paths);
      if (this.id !== id) return true;
      if (answer.whole) return false;
      this.takeFresh(answer);
      return true;
    } catch (error) {
      const failure = asFailure(error);
      if (failure.offline) app.isOnline = false;
      return failure.offline;
    } finally {
      this.isWaiting = this.composing !== null || this.isSending;
    }
  }

  private takeFresh(answer: Extract<Refreshed, { whole: false }>): void {
    const { index, own, bytes, summary, flags, view } = answer.columns;
    for (let at = 0; at < index.length; at++) {
      const file = index[at];
      this.tree.addOwn(file, own[at] - this.own[file]);
      this.own[file] = own[at];
      this.bytes[file] = bytes[at];
      this.summary[file] = summary[at];
      this.flags[file] = flags[at];
      if (!this.edit[file]) this.base[file] = view[at];
    }
    this.countFlags();
    this.takeSet(answer);
    performance.mark('refresh-taken');
  }

  /** A run came: how much of it the composition keeps is another figure now. */
  async askPrefix(): Promise<void> {
    if (this.state !== 'ready' || this.id === null || this.isSending) return;
    const id = this.id;
    try {
      const answer = await api.composeSet(id, []);
      if (this.id === id) this.prefix = answer.prefix ?? null;
    } catch (error) {
      // Else it comes with the next edit.
      if (asFailure(error).kind === 'gone' && this.id === id) await this.again();
    }
  }

  private openPath(path: string): void {
    const node = this.tree.find(path);
    if (node >= 0) this.tree.open[node] = 1;
  }

  /** Edits go with their files. Those of files that are not in the list any more wait for them. */
  private putBack(before: Edits, isSameTree: boolean): void {
    const isAsBefore = isSameTree && before.views.join() === this.views.join();
    const put = isAsBefore ? before : spread(rulesOf(before, false), this.tree, this.views, isNarrow(app.request));
    this.edit = put.edit;
    this.away = put.away;
    for (const [file, extra] of put.extra) this.extra.set(file, isAsBefore ? extra : this.fuller(before, file, extra));
    for (let file = 0; file < this.edit.length; file++) if (this.edit[file]) this.dirty.add(file);
    this.countEdits();
  }

  /** What is known of a file here, where it says the same as what was kept: it also has lines, which are not kept. */
  private fuller(before: Edits, file: number, extra: Extra): Extra {
    const node = before.tree.find(this.tree.paths[file]);
    const known = node > 0 ? before.extra.get(before.tree.file[node]) : undefined;
    return known && isSameExtra(known, extra) ? known : extra;
  }

  private countEdits(): void {
    let edits = 0;
    for (let file = 0; file < this.edit.length; file++) if (this.edit[file]) edits++;
    this.edits = edits;
  }

  // --- changing -----------------------------------------------------------------------------------------------------

  code(view: string): number {
    return viewCode(view, this.views);
  }

  /** Sets a view (or `default`, or `out`) for files, as one step that can be undone. */
  set(files: ArrayLike<number>, view: string, label: string, extra?: Extra, isAll = false): void {
    const code = this.code(view);
    if (!files.length || (code === 0 && view !== 'default')) return;
    const step: EditStep = {
      label,
      files: Int32Array.from(files),
      before: new Int8Array(files.length),
      after: new Int8Array(files.length).fill(code),
      extraBefore: [],
      extraAfter: [],
    };
    for (let at = 0; at < files.length; at++) {
      step.before[at] = this.edit[files[at]];
      if (this.extra.size || extra) {
        step.extraBefore[at] = this.extra.get(files[at]);
        step.extraAfter[at] = extra;
      }
    }
    if (isAll && this.away.length) {
      step.away = { before: this.away, after: [] };
      this.away = [];
    }
    this.undos.push(step);
    this.fresh = step;
    this.apply(step.files, step.after, step.extraAfter);
    app.say(label);
  }

  /** Takes files in or leaves them out; what comes in gets the view it would have by itself, else the whole text. */
  toggle(files: number[], isOn: boolean, label: string): void {
    if (!isOn) {
      this.set(files, 'out', label);
      return;
    }
    const free = files.filter((file) => this.base[file] >= 0 && this.views[this.base[file]] !== 'none');
    if (free.length === files.length) this.set(files, 'default', label);
    else this.set(files, 'full', label);
  }

  reset(): void {
    const files: number[] = [];
    for (let file = 0; file < this.edit.length; file++) if (this.edit[file]) files.push(file);
    if (files.length) this.set(files, 'default', 'All edits taken back', undefined, true);
    else void this.flush();
  }

  undo(): boolean {
    const step = this.undos.undo();
    if (!step) return false;
    this.apply(step.files, step.before, step.extraBefore);
    if (step.away) this.bringBack(step.away.before);
    app.say(`Undone: ${step.label}`);
    return true;
  }

  /** Rules of files that were away when they were taken back. Some of the files may be in the list by now. */
  private bringBack(rules: Rule[]): void {
    const { away } = spread(rules, this.tree, this.views, isNarrow(app.request));
    const { edit, extra } = spread(rules.filter((rule) => !away.includes(rule)), this.tree, this.views, false);
    const files: number[] = [];
    for (let file = 0; file < edit.length; file++) if (edit[file] && !this.edit[file]) files.push(file);
    this.away = away;
    this.apply(Int32Array.from(files), Int8Array.from(files, (file) => edit[file]), files.map((file) => extra.get(file)));
  }

  redo(): boolean {
    const step = this.undos.redo();
    if (!step) return false;
    if (step.away) this.away = step.away.after;
    this.apply(step.files, step.after, step.extraAfter);
    app.say(`Done again: ${step.label}`);
    return true;
  }

  private apply(files: Int32Array, codes: Int8Array, extras: (Extra | undefined)[], isOwn = true): void {
    for (let at = 0; at < files.length; at++) {
      const file = files[at];
      const code = codes[at];
      if (!this.edit[file] && code) this.edits++;
      if (this.edit[file] && !code) this.edits--;
      this.edit[file] = code;
      const extra = extras[at];
      if (extra) this.extra.set(file, extra);
      else if (this.extra.size) this.extra.delete(file);
      this.dirty.add(file);
      // What will come is known but for its size: that is the server's to say.
      if (code === OUT) this.put(file, -1, 0);
      else if (code > 0) this.put(file, code - 1, this.view[file] === code - 1 ? this.shown[file] : this.views[code - 1] === 'full' ? this.own[file] : this.shown[file]);
      else this.put(file, this.base[file], this.base[file] < 0 ? 0 : this.shown[file]);
    }
    this.undoSize = this.undos.size;
    this.redoSize = this.undos.ahead;
    this.rev++;
    this.tell();
    // What another tab did is its own to keep: to write it again would undo what that tab does next.
    if (isOwn) this.save();
    void this.flush();
  }

  private put(file: number, view: number, shown: number): void {
    this.view[file] = view;
    this.shown[file] = shown;
    this.tree.update(file, shown, this.isIn(file) ? 1 : 0);
  }

  /** Sends what has not been sent. One request at a time; what comes meanwhile goes with the next. */
  async flush(): Promise<void> {
    if (this.isSending || !this.dirty.size || this.id === null || !app.isOnline || this.composing?.signal.aborted === false && this.state !== 'ready') return;
    this.isSending = true;
    this.isWaiting = true;
    const files = [...this.dirty];
    this.dirty.clear();
    const id = this.id;
    try {
      const answer = await api.composeSet(id, this.group(files));
      if (this.id === id) this.takeSet(answer);
      this.stuck = null;
      if (!this.dirty.size) this.fresh = null;
      app.isOnline = true;
    } catch (error) {
      const failure = asFailure(error);
      if (failure.kind === 'gone') {
        this.isSending = false;
        void this.again();
        return;
      }
      for (const file of files) this.dirty.add(file);
      if (failure.offline) app.isOnline = false;
      else this.refused(failure, files);
    } finally {
      this.isSending = false;
      this.isWaiting = this.composing !== null;
    }
    if (this.dirty.size && app.isOnline && !this.stuck) void this.flush();
  }

  /** The server does not take the newest step: it is taken back here, too. Older edits are for the person to decide. */
  private refused(failure: Failure, files: number[]): void {
    const step = this.undos.last;
    const inStep = new Set(step?.files);
    if (!step || this.fresh !== step || files.length !== inStep.size || !files.every((file) => inStep.has(file))) {
      this.stuck = failure;
      return;
    }
    app.fail(failure);
    this.dirty.clear();
    this.undos.drop();
    if (step.away) this.away = step.away.before;
    this.apply(step.files, step.before, step.extraBefore);
  }

  private group(files: number[]): SetOne[] {
    const byCode = new Map<number, number[]>();
    const set: SetOne[] = [];
    for (const file of files) {
      const code = this.edit[file];
      const extra = code > 0 ? this.extra.get(file) : undefined;
      if (extra) {
        const one: SetOne = { index: [file], view: this.views[code - 1] };
        if (extra.mask) one.mask = extra.mask;
        if (extra.slices) one.slices = extra.slices;
        set.push(one);
        continue;
      }
      const some = byCode.get(code);
      if (some) some.push(file);
      else byCode.set(code, [file]);
    }
    for (const [code, index] of byCode) set.push({ index, view: code === 0 ? 'default' : code < 0 ? 'out' : this.views[code - 1] });
    return set;
  }

  private takeSet(answer: Awaited<ReturnType<typeof api.composeSet>>): void {
    const { index, view, shown, reason } = answer.columns;
    for (let at = 0; at < index.length; at++) {
      const file = index[at];
      // A newer edit of the same file is still on its way.
      if (this.dirty.has(file)) continue;
      this.put(file, view[at], shown[at]);
      this.reason[file] = this.reasonOf(answer.reasons[reason[at]] ?? '');
    }
    this.tokens = answer.tokens;
    this.prefix = answer.prefix ?? null;
    // A total that is only added up brings no notes: what was said of the composition stays true, but for files that are out of it.
    if (answer.notes.length) this.told = answer.notes;
    this.notes = this.told.filter((note) => this.isAbout(note));
    this.rev++;
  }

  private isAbout(note: Note): boolean {
    const node = note.path ? this.tree.find(note.path) : -1;
    return node <= 0 || this.tree.isFolder(node) || this.isIn(this.tree.file[node]);
  }

  private reasonOf(text: string): number {
    let at = this.reasonAt.get(text);
    if (at === undefined) {
      at = this.reasons.push(text) - 1;
      this.reasonAt.set(text, at);
    }
    return at;
  }

  // --- keeping ------------------------------------------------------------------------------------------------------

  /** By the project's own mark: two folders may have the same name. */
  private key(): string | null {
    return app.project ? `contexture.edits:${app.project.id ?? app.project.root}` : null;
  }

  private save(): void {
    clearTimeout(this.saver);
    const key = this.keptAt;
    this.saver = window.setTimeout(() => {
      if (!key || key !== this.keptAt) return;
      try {
        if (!this.edits && !this.away.length) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify({ v: 1, by: TAB, edits: this.said() } satisfies Saved));
      } catch {
        // Too much to keep: the edits live as long as the page.
      }
    }, 150);
  }

  private said(): Rule[] {
    // Where the list is narrower than that of another tab, a folder here is not the whole folder.
    return rulesOf(this, !isNarrow(app.request));
  }

  private readSaved(text?: string | null): void {
    const key = this.keptAt;
    if (!key) return;
    let saved: Saved | null = null;
    try {
      saved = JSON.parse(text === undefined ? (localStorage.getItem(key) ?? 'null') : (text ?? 'null')) as Saved | null;
    } catch {
      return;
    }
    const { edit, extra, away } = spread(saved?.v === 1 ? saved.edits : [], this.tree, this.views, isNarrow(app.request));
    this.away = away;
    const files: number[] = [];
    for (let file = 0; file < edit.length; file++) {
      if (edit[file] !== this.edit[file] || !isSameExtra(extra.get(file), this.extra.get(file))) files.push(file);
    }
    if (!files.length) return;
    const index = Int32Array.from(files);
    this.apply(index, Int8Array.from(files, (file) => edit[file]), files.map((file) => extra.get(file)), false);
  }

  /** Another tab of this project edited. */
  listen(): void {
    window.addEventListener('storage', (event) => {
      if (event.key !== this.keptAt || this.state !== 'ready') return;
      this.readSaved(event.newValue);
    });
  }

  // --- as a document ------------------------------------------------------------------------------------------------

  /** What the bench shows, as entries of `files.paths`. */
  entries(): (string | Entry)[] {
    const all: (string | Entry)[] = [...(app.base().entries ?? ['**'])];
    for (const { path, code, file } of this.tree.brief(this.edit, (one) => this.extra.has(one))) {
      const entry: Entry = { path: path.endsWith('/') ? folderGlob(path) : path };
      if (code < 0) entry.auto_aggregate = false;
      else entry.view_mode = this.views[code - 1];
      const extra = file >= 0 ? this.extra.get(file) : undefined;
      if (extra?.mask) entry.ast_mask = extra.mask;
      if (extra?.slices) entry.custom_slices = extra.slices;
      all.push(entry);
    }
    return all;
  }

  /** The composition that a request was given by hand, for the command that does the same. */
  edited(request: Request): Edited | undefined {
    if (!request.composition) return undefined;
    const { screenshots, isOfPersona } = app.base(request);
    // A system takes words of some length only. Folders as one entry say the same in fewer words.
    const entries = toml(request.composition).length > LONGEST ? this.entries() : request.composition;
    return { entries, screenshots, isOfPersona };
  }

  /** The entries of the document that is shown, also where they are those of a preset that is tried. */
  async composition(): Promise<(string | Entry)[]> {
    const request = await this.request();
    if (request.composition) return request.composition;
    await app.loadSettings();
    const { entries } = app.base(request);
    if (!entries) throw new Failure(0, 'panel', 'The files of the preset that is tried here are not known.', ['Open Presets to see whether it is still there.']);
    return entries;
  }

  /** Shows the command of the composition as it is now; a moment later, so that a toggle does not wait for it. */
  tell(): void {
    clearTimeout(this.teller);
    this.teller = window.setTimeout(() => {
      if (this.edits) app.did({ do: 'compose', entries: this.entries() });
      else app.did({ do: 'plan', request: app.request });
    }, 60);
  }

  /** The server is back. It may be another one, which counts benches from the beginning: ours is none of its own. */
  async back(): Promise<void> {
    await this.again();
  }

  /** The request that makes the document the bench shows, and no other: where the server cannot have that, it fails. */
  async request(): Promise<Request> {
    for (let tries = 0; tries < 5; tries++) {
      await this.settled();
      if (!this.edits) return app.request;
      const { id, composedKey } = this;
      if (id === null) continue;
      try {
        const { request } = await api.composeRequest(id);
        // Meanwhile the bench may be another one, or something else asked for.
        if (this.id === id && app.requestKey === composedKey) return { ...request, ...app.request };
      } catch (error) {
        if (asFailure(error).kind !== 'gone') throw error;
        if (this.id === id) await this.again();
      }
    }
    throw unsent('The server did not keep the composition that is shown here.', ['Try again. Other tabs of this project may be in the way.']);
  }

  /** Waits until the server has what is shown, edits and all. What cannot come to that is told as a failure. */
  private async settled(): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!this.isSettled()) {
      if (app.projectFailure) throw app.projectFailure;
      if (!app.isOnline) throw unsent('The server does not answer, so it does not have what is shown here.', ['Start it again with `contexture serve`.']);
      const isIdle = !this.composing && !this.isSending;
      const isCurrent = this.askedKey === app.requestKey;
      if (isIdle && isCurrent && this.state === 'failed' && this.failure) throw this.failure;
      if (this.stuck && this.edits && isIdle && isCurrent) {
        throw unsent(`Your edits do not go with this document: ${this.stuck.message}`, [...this.stuck.hints, 'Compose has buttons to try again and to take the edits back.']);
      }
      if (performance.now() > end) throw unsent('The server takes too long to read the composition that is shown here.', ['Try again in a moment.']);
      if (isIdle && isCurrent && this.state === 'ready') {
        if (this.id === null || this.keptAt !== this.key()) await this.again();
        else if (this.dirty.size) await this.flush();
      }
      await new Promise((done) => setTimeout(done, 15));
    }
  }

  private isSettled(): boolean {
    if (this.composing || !this.isFor(app.requestKey) || this.keptAt !== this.key()) return false;
    // Without edits the request says it all, also while the server still hears of those that were taken back.
    return !this.edits || (this.id !== null && !this.isSending && !this.dirty.size);
  }

  /** The server does not know the bench any more. */
  private again(): Promise<void> {
    this.id = null;
    return this.compose(true);
  }

  /** The plan of the document on the bench: prefix, what goes next, what comes next. */
  async askPlan(): Promise<void> {
    const rev = this.rev;
    if (this.state !== 'ready' || (this.planRev === rev && this.plan)) return;
    this.planning?.abort();
    const stop = new AbortController();
    this.planning = stop;
    this.isPlanning = true;
    try {
      const plan = await api.plan(await this.request(), stop.signal);
      if (stop.signal.aborted) return;
      this.plan = plan;
      this.planRev = rev;
      this.planFailure = null;
    } catch (error) {
      if (!stop.signal.aborted) this.planFailure = asFailure(error);
    } finally {
      if (this.planning === stop) this.isPlanning = false;
    }
  }
}

function remap(step: EditStep, paths: string[], places: Map<string, number> | null): EditStep | null {
  if (!places) return step;
  const keep: number[] = [];
  const files: number[] = [];
  step.files.forEach((file, at) => {
    const place = places.get(paths[file]);
    if (place === undefined) return;
    keep.push(at);
    files.push(place);
  });
  if (!keep.length) return null;
  return {
    ...step,
    files: Int32Array.from(files),
    before: Int8Array.from(keep, (at) => step.before[at]),
    after: Int8Array.from(keep, (at) => step.after[at]),
    extraBefore: keep.map((at) => step.extraBefore[at]),
    extraAfter: keep.map((at) => step.extraAfter[at]),
  };
}

export const bench = new Bench();
