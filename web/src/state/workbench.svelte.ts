/**
 * The workbench: the composition that the person works on, as files with their figures, edits, and the document they make.
 * This part gives the document: its entries, its request, its plan and its command. Below it, each on top of the next: `exchange`
 * (with the server), `editing`, `figures`.
 */
import { api, asFailure, Failure } from '../lib/api';
import type { Edited } from '../lib/command';
import { folderGlob } from '../lib/composition';
import { toml } from '../lib/toml';
import type { Entry, Plan, Request } from '../lib/types';
import { app } from './app.svelte';
import { Exchange, unsent } from './workbench/exchange.svelte';

/** As much of a composition as is said in one word of a command line. */
const LONGEST = 100_000;

class Workbench extends Exchange {
  plan = $state.raw<Plan | null>(null);
  planRev = $state(-1);
  planFailure = $state.raw<Failure | null>(null);
  isPlanning = $state(false);

  private planning: AbortController | null = null;
  private teller = 0;

  /** What is shown, as entries of `files.paths`. */
  entries(): (string | Entry)[] {
    const all: (string | Entry)[] = [...(app.base().entries ?? ['**'])];
    for (const { path, code, file } of this.tree.brief(this.edit, (one) => this.extra.has(one))) {
      const entry: Entry = { path: path.endsWith('/') ? folderGlob(path) : path };
      if (code < 0) entry.auto_aggregate = false;
      else entry.view_mode = this.views[code - 1] as Entry['view_mode'];
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
      if (this.edits) app.did({ do: 'config set', key: 'files.paths', value: toml(this.entries()), scope: 'project' });
      else app.did({ do: 'plan', request: app.request });
    }, 60);
  }

  /** The request that makes the document that is shown, and no other: where the server cannot have that, it fails. */
  async request(): Promise<Request> {
    for (let tries = 0; tries < 5; tries++) {
      await this.settled();
      if (!this.edits) return app.request;
      const { id, composedKey } = this;
      if (id === null) continue;
      try {
        const request = await api.composeRequest(id);
        // Meanwhile the workbench may be another one, or something else asked for.
        if (this.id === id && app.requestKey === composedKey) return { ...request, ...app.request };
      } catch (error) {
        if (asFailure(error).kind !== 'gone') throw error;
        if (this.id === id) await this.again();
      }
    }
    throw unsent('The server did not keep the composition that is shown here.', ['Try again. Other tabs of this project may be in the way.']);
  }

  /** The plan of the document: prefix, what goes next, what comes next. */
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

export const workbench = new Workbench();
