/**
 * The way between the workbench and its copy on the server: composing, sending edits, reading again what changed on disk.
 * Takes what the address asks for and events of the server; gives figures as they come, and `settled` when the server has what is shown.
 * Must not decide on views.
 */
import { api, asFailure, Failure } from '../../lib/api';
import { app } from '../app.svelte';
import { Editing } from './editing.svelte';

/** How long a document waits for the composition it is made of, in milliseconds. */
const PATIENCE = 120_000;

/** Why nothing is built, copied or sent. It is said aloud, also where the server does not answer. */
export function unsent(text: string, hints: string[]): Failure {
  return new Failure(0, 'unsent', `${text} No document was made.`, hints);
}

export abstract class Exchange extends Editing {
  isWaiting = $state(false);
  /** Edits that the server does not take, and why. They wait for the person. */
  stuck = $state.raw<Failure | null>(null);

  /** The number of the workbench on the server. */
  id: number | null = null;
  /** The last change of files that is in the composition, or on its way there. */
  generation = 0;
  protected composedKey = '';
  /** What was asked for last, whether it came or not. */
  private askedKey = '';
  private composing: AbortController | null = null;
  private isSending = false;
  /** What the stream of events began with while a composition was under way. */
  private heardAt = 0;
  /** What changed on disk and was not read again yet. */
  private stale = new Set<string>();
  private isRefreshing = false;

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
      this.id = answer.bench;
      this.adopt(answer);
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

  /** Composes again where settings are others, or the server does not know the workbench. */
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
      this.reload(answer, this.dirty);
      performance.mark('refresh-taken');
      return true;
    } catch (error) {
      const failure = asFailure(error);
      if (failure.offline) app.isOnline = false;
      return failure.offline;
    } finally {
      this.isWaiting = this.composing !== null || this.isSending;
    }
  }

  /** A run came: how much of it the composition keeps is another figure now. */
  async askPrefix(): Promise<void> {
    if (this.state !== 'ready' || this.id === null || this.isSending) return;
    const id = this.id;
    try {
      const answer = await api.composeSet(id, []);
      if (this.id === id) this.prefix = answer.prefix;
    } catch (error) {
      // Else it comes with the next edit.
      if (asFailure(error).kind === 'gone' && this.id === id) await this.again();
    }
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
      if (this.id === id) this.update(answer, this.dirty);
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
      // The newest step is taken back here, too. Older edits are for the person to decide.
      else if (this.takeBack(files)) app.fail(failure);
      else this.stuck = failure;
    } finally {
      this.isSending = false;
      this.isWaiting = this.composing !== null;
    }
    if (this.dirty.size && app.isOnline && !this.stuck) void this.flush();
  }

  /**
   * The server does not know the workbench any more. Also one that is back after a loss may be another one, which counts workbenches from the
   * beginning: ours is none of its own.
   */
  again(): Promise<void> {
    this.id = null;
    return this.compose(true);
  }

  /** Waits until the server has what is shown, edits and all. What cannot come to that is told as a failure. */
  protected async settled(): Promise<void> {
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
}
