/** What leads from the items of one document to those of another, and what a run was asked for. Pure. */
import type { Item, KeptRequest, RunDiff } from './types';

/** As `runs diff` tells it, without bytes: these are known of runs alone. */
export function compareItems(old: Item[], now: Item[]): RunDiff {
  // A path can stand in a document twice: as a file and as a passage of it.
  const key = (item: Item) => `${item.kind}\0${item.path}`;
  const before = new Map(old.map((item) => [key(item), item]));
  const after = new Set(now.map(key));
  const diff: RunDiff = { same: false, first: null, common: null, altered: [], added: [], removed: old.filter((item) => !after.has(key(item))), changed: [] };
  for (const item of now) {
    const was = before.get(key(item));
    if (!was) diff.added.push(item);
    else if (was.view !== item.view || was.tokens !== item.tokens || was.hash !== item.hash) {
      diff.changed.push({
        path: item.path, kind: item.kind, content: was.hash !== item.hash,
        view: { old: was.view, new: item.view }, tokens: { old: was.tokens, new: item.tokens }, reason: { old: was.reason, new: item.reason },
      });
    }
  }
  diff.same = diff.added.length + diff.removed.length + diff.changed.length === 0;
  return diff;
}

/** Who asked for a run, where it was a program and not a person. */
export function callerOf(document: KeptRequest | undefined): string | null {
  return document?.caller || null;
}

/** What a run was asked for, as far as anything was said. */
export function argumentsOf(document: KeptRequest | undefined): [string, string][] {
  const said: [string, string][] = [];
  for (const [key, value] of Object.entries(document ?? {})) {
    if (key === 'caller' || key === 'target' || value === null || value === false || value === '') continue;
    if (Array.isArray(value) && !value.length) continue;
    if (typeof value === 'object' && !Object.keys(value as object).length) continue;
    said.push([key, typeof value === 'string' ? value : JSON.stringify(value)]);
  }
  return said;
}
