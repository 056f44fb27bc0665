/**
 * What changed since the last run, as rows to draw: a head for each hunk, then its lines with their numbers in both texts.
 * Pure. The first row that is no context holds the first byte that differs.
 */
import type { DiffLines, SinceLast } from './types';

export interface ChangeRow {
  kind: 'hunk' | 'same' | 'removed' | 'added' | 'left';
  text: string;
  /** Bytes of the line that are not shown. */
  left: number;
  old: number | null;
  new: number | null;
  hunk: number;
}

export function changeRows(lines: DiffLines): ChangeRow[] {
  const rows: ChangeRow[] = [];
  lines.hunks.forEach((hunk, at) => {
    let before = hunk.old_start;
    let after = hunk.new_start;
    const place = `@@ -${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`;
    rows.push({ kind: 'hunk', text: hunk.item ? `${place} ${hunk.item}` : place, left: 0, old: null, new: null, hunk: at });
    for (const [sign, text, left] of hunk.lines) {
      const kind = sign === '-' ? 'removed' : sign === '+' ? 'added' : 'same';
      rows.push({ kind, text, left, old: kind === 'added' ? null : before, new: kind === 'removed' ? null : after, hunk: at });
      if (kind !== 'added') before++;
      if (kind !== 'removed') after++;
    }
  });
  if (lines.left.lines) {
    const text = `${lines.left.lines} more changed lines${lines.left.hunks ? ` in ${lines.left.hunks} more places` : ''} are not shown`;
    rows.push({ kind: 'left', text, left: 0, old: null, new: null, hunk: lines.hunks.length });
  }
  return rows;
}

/** The row in which the bytes part, or -1. */
export function breakRow(rows: ChangeRow[]): number {
  return rows.findIndex((row) => row.kind === 'removed' || row.kind === 'added');
}

/** Rows where hunks begin, to jump to. */
export function hunkRows(rows: ChangeRow[]): number[] {
  const heads: number[] = [];
  rows.forEach((row, at) => row.kind === 'hunk' && heads.push(at));
  return heads;
}

export interface ItemRow {
  path: string;
  what: string;
  tokens: number;
}

/** Items that came, went or changed, with what became of each and how many tokens that is. */
export function itemRows(last: SinceLast): ItemRow[] {
  const told = (one: SinceLast['changed'][number]) => {
    if (one.view.old !== one.view.new) return `${one.view.old} → ${one.view.new}`;
    return one.content ? 'content changed' : 'shown differently';
  };
  return [
    ...last.changed.map((one) => ({ path: one.path, what: told(one), tokens: one.tokens.new - one.tokens.old })),
    ...last.added.map((one) => ({ path: one.path, what: `added as ${one.view}`, tokens: one.tokens })),
    ...last.removed.map((one) => ({ path: one.path, what: 'removed', tokens: -one.tokens })),
  ];
}
