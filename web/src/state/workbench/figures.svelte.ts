/**
 * The files of the composition as columns, one row per file, and the totals over them.
 * Takes answers of the server; gives what is known of a file and which files a filter means. Must not call the server or make edits.
 */
import type { Failure } from '../../lib/api';
import { parseFilter, FLAG, type FilterColumns } from '../../lib/filter';
import { FileTree } from '../../lib/tree';
import type { Composed, ComposeSet, Count, Note, Prefix, Refreshed } from '../../lib/types';

export class Figures {
  state = $state<'empty' | 'loading' | 'ready' | 'failed'>('empty');
  failure = $state.raw<Failure | null>(null);
  /** Grows with every change of figures; `shape` with every change of the list of files. */
  rev = $state(0);
  shape = $state(0);
  tokens = $state.raw<Count | null>(null);
  prefix = $state.raw<Prefix | null>(null);
  notes = $state.raw<Note[]>([]);
  leftOut = $state.raw<{ path: string; reason: string }[]>([]);
  flagged = $state.raw({ secrets: 0, hidden: 0, errors: 0, changed: 0 });

  views: string[] = [];
  tree = new FileTree([]);
  view = new Int16Array(0);
  shown = new Int32Array(0);
  own = new Int32Array(0);
  bytes = new Float64Array(0);
  flags = new Uint8Array(0);
  summary = new Uint8Array(0);
  /** What the person decided: 0 nothing, -1 out, else the number of a view and one. */
  edit = new Int8Array(0);
  /** The view of each file before edits. */
  protected base = new Int16Array(0);

  /** Notes of the server on the composition, also on files that were left out since. */
  private serverNotes: Note[] = [];
  private reason = new Int32Array(0);
  private reasons: string[] = [];
  private reasonAt = new Map<string, number>();
  private lower: string[] | null = null;

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

  /** Replaces all rows, without edits. Open folders stay open. Gives whether the files are the same as before. */
  protected load({ columns, views, reasons, tokens, prefix, notes, left_out }: Composed): boolean {
    const paths = columns.path;
    const isSameTree = this.files === paths.length && paths.every((path, at) => path === this.tree.paths[at]);
    if (!isSameTree) {
      const opened = this.tree.opened();
      const hadFiles = this.files > 0;
      this.tree = new FileTree(paths);
      this.lower = null;
      if (hadFiles) for (const path of opened) this.openPath(path);
      else this.tree.openTo(paths.length <= 300 ? 99 : 1);
    }
    this.views = views;
    this.view = Int16Array.from(columns.view);
    this.base = this.view.slice();
    this.shown = Int32Array.from(columns.shown);
    this.own = Int32Array.from(columns.own);
    this.bytes = Float64Array.from(columns.bytes);
    this.flags = Uint8Array.from(columns.flags);
    this.summary = Uint8Array.from(columns.summary);
    this.reasons = [...reasons];
    this.reasonAt = new Map(reasons.map((text, at) => [text, at]));
    this.reason = Int32Array.from(columns.reason);
    this.tokens = tokens;
    this.prefix = prefix;
    this.serverNotes = notes;
    this.notes = notes;
    this.leftOut = left_out;
    this.edit = new Int8Array(paths.length);
    const inside = new Uint8Array(paths.length);
    for (let file = 0; file < paths.length; file++) inside[file] = this.isIn(file) ? 1 : 0;
    this.countFlags();
    this.tree.load(this.own, this.shown, inside);
    return isSameTree;
  }

  /** Takes figures of some rows and of the whole; rows in `pending` have a newer edit on its way. */
  protected update(answer: ComposeSet, pending: ReadonlySet<number>): void {
    const { index, view, shown, reason } = answer.columns;
    for (let at = 0; at < index.length; at++) {
      const file = index[at];
      if (pending.has(file)) continue;
      this.put(file, view[at], shown[at]);
      this.reason[file] = this.reasonOf(answer.reasons[reason[at]] ?? '');
    }
    this.tokens = answer.tokens;
    this.prefix = answer.prefix;
    // A total that is only added up brings no notes: those of the composition stay true, but for files that are out of it.
    if (answer.notes.length) this.serverNotes = answer.notes;
    this.notes = this.serverNotes.filter((note) => this.isAbout(note));
    this.rev++;
  }

  /** Takes rows of files that were read again. */
  protected reload(answer: Extract<Refreshed, { whole: false }>, pending: ReadonlySet<number>): void {
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
    this.update(answer, pending);
  }

  protected put(file: number, view: number, shown: number): void {
    this.view[file] = view;
    this.shown[file] = shown;
    this.tree.update(file, shown, this.isIn(file) ? 1 : 0);
  }

  private openPath(path: string): void {
    const node = this.tree.find(path);
    if (node >= 0) this.tree.open[node] = 1;
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
}
