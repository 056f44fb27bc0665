/**
 * What the person decided on files: steps that can be undone, kept by path and view (never as text) in the browser.
 * Takes decisions; an edit shows at once and is handed on to be sent. Must not call the server, nor walk all files for a single toggle.
 */
import { isNarrow, isSameExtra, rulesOf, spread, viewCode, type Edits, type Extra, type Rule } from '../../lib/edits';
import { Undo } from '../../lib/undo';
import type { Composed, RowView, SetOne, ViewName } from '../../lib/types';
import { app } from '../app.svelte';
import { Figures } from './figures.svelte';

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

const TAB = Math.random().toString(36).slice(2);

export abstract class Editing extends Figures {
  edits = $state(0);
  undoSize = $state(0);
  redoSize = $state(0);

  extra = new Map<number, Extra>();
  /** Edits of files that are not in the list now. */
  away: Rule[] = [];
  /** Files whose edits have not been sent. */
  protected dirty = new Set<number>();
  /** The step the server has not answered yet. */
  protected fresh: EditStep | null = null;
  /** Where the edits are kept: they belong to this project and to no other. */
  protected keptAt: string | null = null;
  private undos = new Undo<EditStep>(100);
  private saver = 0;

  /** Sends what has not been sent. */
  abstract flush(): Promise<void>;
  /** Shows the command of the composition as it is now. */
  abstract tell(): void;

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
    const isFree = (file: number) => this.base[file] >= 0 && this.views[this.base[file]] !== 'none';
    this.set(files, !isOn ? 'out' : files.every(isFree) ? 'default' : 'full', label);
  }

  reset(): void {
    const files = this.editedFiles();
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

  redo(): boolean {
    const step = this.undos.redo();
    if (!step) return false;
    if (step.away) this.away = step.away.after;
    this.apply(step.files, step.after, step.extraAfter);
    app.say(`Done again: ${step.label}`);
    return true;
  }

  /** Another tab of this project edited. */
  listen(): void {
    window.addEventListener('storage', (event) => {
      if (event.key !== this.keptAt || this.state !== 'ready') return;
      this.readSaved(event.newValue);
    });
  }

  /** Replaces the list of files. In the same project edits and undo steps stay; else those that were kept are read. */
  protected adopt(answer: Composed): void {
    const isSameProject = this.keptAt === this.key();
    const before: Edits | null = isSameProject && (this.state === 'ready' || this.files) ? { tree: this.tree, edit: this.edit, extra: this.extra, views: this.views, away: this.away } : null;
    const isSameTree = this.load(answer);
    this.extra = new Map();
    this.dirty.clear();
    this.fresh = null;
    if (before) {
      const places = isSameTree ? null : new Map(this.tree.paths.map((path, at) => [path, at]));
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

  /** Takes the newest step back, if it is what the server refused; gives whether it was. */
  protected takeBack(files: number[]): boolean {
    const step = this.undos.last;
    const inStep = new Set(step?.files);
    if (!step || this.fresh !== step || files.length !== inStep.size || !files.every((file) => inStep.has(file))) return false;
    this.dirty.clear();
    this.undos.drop();
    if (step.away) this.away = step.away.before;
    this.apply(step.files, step.before, step.extraBefore);
    return true;
  }

  /** The word for the code of an edit. `views` comes from the server, so it accepts each of them. */
  private word(code: number): RowView {
    if (code === 0) return 'default';
    return code < 0 ? 'out' : (this.views[code - 1] as ViewName);
  }

  /** Edits of files as the server takes them: files of the same view together. */
  protected group(files: number[]): SetOne[] {
    const byCode = new Map<number, number[]>();
    const set: SetOne[] = [];
    for (const file of files) {
      const code = this.edit[file];
      const extra = code > 0 ? this.extra.get(file) : undefined;
      if (extra) {
        const one: SetOne = { index: [file], view: this.word(code) };
        if (extra.mask) one.mask = extra.mask;
        if (extra.slices) one.slices = extra.slices;
        set.push(one);
        continue;
      }
      const some = byCode.get(code);
      if (some) some.push(file);
      else byCode.set(code, [file]);
    }
    for (const [code, index] of byCode) set.push({ index, view: this.word(code) });
    return set;
  }

  /** By the project's own mark: two folders may have the same name. */
  protected key(): string | null {
    return app.project ? `contexture.edits:${app.project.id}` : null;
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
      if (code < 0) this.put(file, -1, 0);
      else if (code > 0) this.put(file, code - 1, this.view[file] !== code - 1 && this.views[code - 1] === 'full' ? this.own[file] : this.shown[file]);
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

  /** Edits go with their files. Those of files that are not in the list any more wait for them. */
  private putBack(before: Edits, isSameTree: boolean): void {
    const isAsBefore = isSameTree && before.views.join() === this.views.join();
    const put = isAsBefore ? before : spread(rulesOf(before, false), this.tree, this.views, isNarrow(app.request));
    this.edit = put.edit;
    this.away = put.away;
    for (const [file, extra] of put.extra) this.extra.set(file, isAsBefore ? extra : this.fuller(before, file, extra));
    this.dirty = new Set(this.editedFiles());
    this.edits = this.dirty.size;
  }

  /** What is known of a file here, where it says the same as what was kept: it also has lines, which are not kept. */
  private fuller(before: Edits, file: number, extra: Extra): Extra {
    const node = before.tree.find(this.tree.paths[file]);
    const known = node > 0 ? before.extra.get(before.tree.file[node]) : undefined;
    return known && isSameExtra(known, extra) ? known : extra;
  }

  /** Rules of files that were away when they were taken back. Some of the files may be in the list by now. */
  private bringBack(rules: Rule[]): void {
    const { away } = spread(rules, this.tree, this.views, isNarrow(app.request));
    const put = spread(rules.filter((rule) => !away.includes(rule)), this.tree, this.views, false);
    this.away = away;
    this.applyWhere(put, (file) => Boolean(put.edit[file] && !this.edit[file]));
  }

  private applyWhere({ edit, extra }: Pick<Edits, 'edit' | 'extra'>, isWanted: (file: number) => boolean, isOwn = true): void {
    const files: number[] = [];
    for (let file = 0; file < edit.length; file++) if (isWanted(file)) files.push(file);
    this.apply(Int32Array.from(files), Int8Array.from(files, (file) => edit[file]), files.map((file) => extra.get(file)), isOwn);
  }

  private editedFiles(): number[] {
    const files: number[] = [];
    for (let file = 0; file < this.edit.length; file++) if (this.edit[file]) files.push(file);
    return files;
  }

  private save(): void {
    clearTimeout(this.saver);
    const key = this.keptAt;
    this.saver = window.setTimeout(() => {
      if (!key || key !== this.keptAt) return;
      // Where the list is narrower than that of another tab, a folder here is not the whole folder.
      const rules = () => rulesOf(this, !isNarrow(app.request));
      try {
        if (!this.edits && !this.away.length) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify({ v: 1, by: TAB, edits: rules() } satisfies Saved));
      } catch {
        // Too much to keep: the edits live as long as the page.
      }
    }, 150);
  }

  private readSaved(text?: string | null): void {
    const key = this.keptAt;
    if (!key) return;
    let saved: Saved | null = null;
    try {
      saved = JSON.parse((text === undefined ? localStorage.getItem(key) : text) ?? 'null') as Saved | null;
    } catch {
      return;
    }
    const put = spread(saved?.v === 1 ? saved.edits : [], this.tree, this.views, isNarrow(app.request));
    this.away = put.away;
    const isOther = (file: number) => put.edit[file] !== this.edit[file] || !isSameExtra(put.extra.get(file), this.extra.get(file));
    if (put.edit.some((_, file) => isOther(file))) this.applyWhere(put, isOther, false);
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
