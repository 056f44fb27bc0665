/**
 * Edits as rules, for keeping: by path, so that they outlive the list of files they were made in. Pure.
 * Rules of files that are not in the list now are kept as they are; the files may come back, or another tab may show them.
 */
import type { FileTree } from './tree';
import type { Mask, Request, Slice } from './types';

export interface Extra {
  mask?: Mask;
  slices?: Slice[];
}
/** A path (a folder ends with a slash), a view (or `out`, or `default`) and what belongs to it. A later rule beats an earlier one. */
export type Rule = [path: string, view: string, extra?: Extra];

/** What the person decided on the files of a list. */
export interface Edits {
  tree: FileTree;
  edit: Int8Array<ArrayBuffer>;
  extra: Map<number, Extra>;
  views: string[];
  away: Rule[];
}

export function viewCode(view: string, views: string[]): number {
  if (view === 'default') return 0;
  return view === 'out' ? -1 : views.indexOf(view) + 1;
}

function viewName(code: number, views: string[]): string {
  if (!code) return 'default';
  return code < 0 ? 'out' : views[code - 1];
}

/** Whether the address may leave files out of the list that are in that of another tab. */
export function isNarrow(request: Request): boolean {
  return Boolean(request.include?.length || request.exclude?.length || request.preset || request.persona);
}

/** Without lines of files: those are not kept in the browser, and the hash finds them again. */
export function lean(extra: Extra): Extra {
  const some: Extra = {};
  if (extra.mask) some.mask = extra.mask;
  if (extra.slices) some.slices = extra.slices.map(({ anchor_lines: _, ...rest }) => rest as Slice);
  return some;
}

export function isSameExtra(a: Extra | undefined, b: Extra | undefined): boolean {
  return a === b || JSON.stringify(a && lean(a)) === JSON.stringify(b && lean(b));
}

const isFolder = ([path]: Rule) => path.endsWith('/');

/** What rules say of the files in a list, and which of them reach beyond it. */
export function spread(rules: Rule[], tree: FileTree, views: string[], narrow: boolean): { edit: Int8Array<ArrayBuffer>; extra: Map<number, Extra>; away: Rule[] } {
  const edit = new Int8Array(tree.paths.length);
  const extra = new Map<number, Extra>();
  const away: Rule[] = [];
  // Looking for a file passes over all that is in its folder; for many files, once over all is less.
  const places = rules.length > 32 ? new Map(tree.paths.map((path, at) => [path, at])) : null;
  const filesOf = (rule: Rule): number[] => {
    const [path] = rule;
    if (!isFolder(rule) && places) {
      const file = places.get(path);
      return file === undefined ? [] : [file];
    }
    const node = tree.find(isFolder(rule) ? path.slice(0, -1) : path);
    return node > 0 && (tree.file[node] < 0) === isFolder(rule) ? tree.filesUnder(node) : [];
  };
  for (const rule of rules) {
    const [, view, more] = rule;
    const code = viewCode(view, views);
    const files = code || view === 'default' ? filesOf(rule) : [];
    for (const file of files) {
      edit[file] = code;
      if (more) extra.set(file, more);
      else extra.delete(file);
    }
    if (!files.length || (narrow && isFolder(rule))) away.push(rule);
  }
  // That a file is as it would be by itself is worth keeping only against a rule of its folder.
  const folders = away.filter(isFolder);
  return { edit, extra, away: away.filter((rule) => isFolder(rule) || rule[1] !== 'default' || folders.some(([path]) => rule[0].startsWith(path))) };
}

/** All edits as rules; `brief`: folders whose files are all edited alike as one rule. */
export function rulesOf({ tree, edit, extra, views, away }: Edits, brief: boolean): Rule[] {
  const folders = away.filter(isFolder);
  const rule = (path: string, file: number, code: number): Rule => {
    const more = file >= 0 ? extra.get(file) : undefined;
    return more ? [path, viewName(code, views), lean(more)] : [path, viewName(code, views)];
  };
  const said: Rule[] = [];
  if (brief && !folders.length) {
    for (const { path, code, file } of tree.brief(edit, (one) => extra.has(one))) said.push(rule(path, file, code));
  } else {
    const given = folders.length ? spread(folders, tree, views, true).edit : null;
    for (let file = 0; file < edit.length; file++) {
      if (edit[file] !== (given?.[file] ?? 0) || extra.has(file)) said.push(rule(tree.paths[file], file, edit[file]));
    }
  }
  // Rules of folders first and those of single files last: the narrower one holds.
  return [...folders, ...said, ...away.filter((one) => !isFolder(one))];
}
