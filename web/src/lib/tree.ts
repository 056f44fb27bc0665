/**
 * Files and folders as flat arrays, for a hundred thousand of them.
 * Takes paths once; after that every change is a pass over typed arrays or a walk up to the root.
 * Knows nothing of the screen or the server.
 *
 * Nodes are numbered so that a parent always has a smaller number than what is in it: sums are one pass backwards.
 */
export const ROOT = 0;

export class FileTree {
  readonly paths: string[];
  /** Of each node: its folder, how deep it is, its file or -1. */
  readonly parent: Int32Array;
  readonly depth: Uint16Array;
  readonly file: Int32Array;
  /** Of each file: its node. */
  readonly node: Int32Array;
  /** Of each folder: files in it at any depth, and how many of these are in the document; sums of tokens. */
  readonly count: Int32Array;
  readonly inside: Int32Array;
  readonly own: Float64Array;
  readonly shown: Float64Array;
  /** Folders whose content is visible. */
  readonly open: Uint8Array;

  private readonly folders: string[] = [''];
  private readonly children: Int32Array;
  private readonly firstChild: Int32Array;
  private readonly byPath = new Map<string, number>([['', ROOT]]);
  private readonly rows: Int32Array;
  private readonly stack: Int32Array;
  private readonly matching: Uint8Array;

  constructor(paths: string[]) {
    this.paths = paths;
    const parent: number[] = [-1];
    const depth: number[] = [0];
    const file: number[] = [-1];
    const folders = this.folders;
    const byPath = this.byPath;
    const folder = (path: string): number => {
      const known = byPath.get(path);
      if (known !== undefined) return known;
      // From the top down, without recursion: paths can be as deep as they like.
      let at = 0;
      let above = ROOT;
      for (;;) {
        const slash = path.indexOf('/', at);
        const part = slash < 0 ? path : path.slice(0, slash);
        let here = byPath.get(part);
        if (here === undefined) {
          here = parent.length;
          parent.push(above);
          depth.push(above === ROOT ? 0 : depth[above] + 1);
          file.push(-1);
          folders[here] = part;
          byPath.set(part, here);
        }
        above = here;
        if (slash < 0) return here;
        at = slash + 1;
      }
    };
    const node = new Int32Array(paths.length);
    let lastFolder = '';
    let lastNode = ROOT;
    for (let i = 0; i < paths.length; i++) {
      const path = paths[i];
      const slash = path.lastIndexOf('/');
      if (slash < 0) {
        lastFolder = '';
        lastNode = ROOT;
      } else if (slash !== lastFolder.length || !path.startsWith(lastFolder)) {
        lastFolder = path.slice(0, slash);
        lastNode = folder(lastFolder);
      }
      node[i] = parent.length;
      parent.push(lastNode);
      depth.push(lastNode === ROOT ? 0 : depth[lastNode] + 1);
      file.push(i);
    }
    const nodes = parent.length;
    this.parent = Int32Array.from(parent);
    this.depth = Uint16Array.from(depth);
    this.file = Int32Array.from(file);
    this.node = node;
    this.count = new Int32Array(nodes);
    this.inside = new Int32Array(nodes);
    this.own = new Float64Array(nodes);
    this.shown = new Float64Array(nodes);
    this.open = new Uint8Array(nodes);
    this.open[ROOT] = 1;
    this.rows = new Int32Array(nodes);
    this.stack = new Int32Array(nodes);
    this.matching = new Uint8Array(nodes);
    this.firstChild = new Int32Array(nodes + 1);
    this.children = new Int32Array(nodes);
    for (let i = 1; i < nodes; i++) this.firstChild[this.parent[i] + 1]++;
    for (let i = 0; i < nodes; i++) this.firstChild[i + 1] += this.firstChild[i];
    const fill = this.firstChild.slice(0, nodes);
    for (let i = 1; i < nodes; i++) this.children[fill[this.parent[i]]++] = i;
    for (let i = nodes - 1; i > 0; i--) {
      if (this.file[i] >= 0) this.count[i] = 1;
      this.count[this.parent[i]] += this.count[i];
    }
    this.sort('name');
  }

  get nodes(): number {
    return this.parent.length;
  }

  isFolder(node: number): boolean {
    return this.file[node] < 0;
  }

  /** The path of a file, or of a folder without the slash at its end. */
  path(node: number): string {
    const file = this.file[node];
    return file >= 0 ? this.paths[file] : this.folders[node];
  }

  name(node: number): string {
    const path = this.path(node);
    return path.slice(path.lastIndexOf('/') + 1);
  }

  /** The node of a file or folder, or -1. */
  find(path: string): number {
    const folder = this.byPath.get(path);
    if (folder !== undefined) return folder;
    const above = this.byPath.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    if (above === undefined) return -1;
    for (let at = this.firstChild[above]; at < this.firstChild[above + 1]; at++) {
      const file = this.file[this.children[at]];
      if (file >= 0 && this.paths[file] === path) return this.children[at];
    }
    return -1;
  }

  /** What is directly in a folder, in the order of the last sort. */
  childrenOf(node: number): Int32Array {
    return this.children.subarray(this.firstChild[node], this.firstChild[node + 1]);
  }

  /** Takes all figures anew. `isIn` says 1 for files that the document shows. */
  load(own: ArrayLike<number>, shown: ArrayLike<number>, isIn: ArrayLike<number>): void {
    this.own.fill(0);
    this.shown.fill(0);
    this.inside.fill(0);
    for (let i = this.nodes - 1; i > 0; i--) {
      const file = this.file[i];
      if (file >= 0) {
        this.own[i] = own[file];
        this.shown[i] = shown[file];
        this.inside[i] = isIn[file];
      }
      const above = this.parent[i];
      this.own[above] += this.own[i];
      this.shown[above] += this.shown[i];
      this.inside[above] += this.inside[i];
    }
  }

  /** One file shows something else now: it and the folders above it. */
  update(file: number, shown: number, isIn: number): void {
    let node = this.node[file];
    const more = shown - this.shown[node];
    const inner = isIn - this.inside[node];
    if (!more && !inner) return;
    for (; node >= 0; node = this.parent[node]) {
      this.shown[node] += more;
      this.inside[node] += inner;
    }
  }

  /** One file is larger or smaller now by so many tokens, whether it is shown or not. */
  addOwn(file: number, more: number): void {
    if (more) for (let node = this.node[file]; node >= 0; node = this.parent[node]) this.own[node] += more;
  }

  /** 0 none of it is in the document, 1 all of it, 2 some. */
  state(node: number): 0 | 1 | 2 {
    const inside = this.inside[node];
    return inside === 0 ? 0 : inside === this.count[node] ? 1 : 2;
  }

  /** Folders first; then by name, or by tokens from most to least. */
  sort(by: 'name' | 'tokens'): void {
    const { children, firstChild, file, shown, own } = this;
    for (let node = 0; node < this.nodes; node++) {
      const from = firstChild[node];
      const to = firstChild[node + 1];
      if (to - from < 2) continue;
      const some = children.subarray(from, to);
      if (by === 'tokens') {
        some.sort((a, b) => shown[b] - shown[a] || own[b] - own[a] || a - b);
      } else {
        some.sort((a, b) => {
          const kind = (file[a] < 0 ? 0 : 1) - (file[b] < 0 ? 0 : 1);
          if (kind) return kind;
          if (file[a] >= 0) return file[a] - file[b];
          const one = this.folders[a];
          const two = this.folders[b];
          return one < two ? -1 : one > two ? 1 : 0;
        });
      }
    }
  }

  /**
   * Nodes to draw, from top to bottom. With `match` (1 a file fits the filter) only these and the folders on the way;
   * folders are open then unless `shut` says otherwise. The answer is good until the next call.
   */
  visible(match: Uint8Array | null, shut: ReadonlySet<number> | null = null): Int32Array {
    const { rows, stack, children, firstChild, file, open, matching } = this;
    if (match) {
      matching.fill(0);
      for (let i = this.nodes - 1; i > 0; i--) {
        if (file[i] >= 0 && match[file[i]]) matching[i] = 1;
        if (matching[i]) matching[this.parent[i]] = 1;
      }
    }
    let length = 0;
    let top = 0;
    for (let at = firstChild[ROOT + 1] - 1; at >= firstChild[ROOT]; at--) stack[top++] = children[at];
    while (top > 0) {
      const node = stack[--top];
      if (match && !matching[node]) continue;
      rows[length++] = node;
      if (file[node] >= 0) continue;
      if (match ? shut?.has(node) : !open[node]) continue;
      for (let at = firstChild[node + 1] - 1; at >= firstChild[node]; at--) stack[top++] = children[at];
    }
    return rows.subarray(0, length);
  }

  /** The files in a folder at any depth, or the file itself; only those that match, where that is given. */
  filesUnder(node: number, match: Uint8Array | null = null): number[] {
    const found: number[] = [];
    const todo = [node];
    while (todo.length) {
      const here = todo.pop() as number;
      const file = this.file[here];
      if (file >= 0) {
        if (!match || match[file]) found.push(file);
        continue;
      }
      for (let at = this.firstChild[here + 1] - 1; at >= this.firstChild[here]; at--) todo.push(this.children[at]);
    }
    return found;
  }

  /** Opens the folders above a node. */
  reveal(node: number): void {
    for (let above = this.parent[node]; above >= 0; above = this.parent[above]) this.open[above] = 1;
  }

  /** Opens what lies at most `levels` folders deep. */
  openTo(levels: number): void {
    for (let i = 0; i < this.nodes; i++) if (this.file[i] < 0) this.open[i] = i === ROOT || this.depth[i] < levels ? 1 : 0;
  }

  /** Paths of open folders, to open them again in the next tree. */
  opened(): string[] {
    const found: string[] = [];
    for (let i = 1; i < this.nodes; i++) if (this.file[i] < 0 && this.open[i]) found.push(this.folders[i]);
    return found;
  }

  /**
   * What differs from 0, said briefly: folders whose files all have the same code as `folder/`, other files by path.
   * `alone` = files that must be said one by one.
   */
  brief(code: Int8Array, alone: (file: number) => boolean): { path: string; code: number; file: number }[] {
    const MIXED = 127;
    const nodes = this.nodes;
    const same = new Int8Array(nodes);
    const seen = new Uint8Array(nodes);
    for (let i = nodes - 1; i > 0; i--) {
      const file = this.file[i];
      if (file >= 0) {
        same[i] = alone(file) ? MIXED : code[file];
        seen[i] = 1;
      }
      if (!seen[i]) continue;
      const above = this.parent[i];
      if (!seen[above]) {
        same[above] = same[i];
        seen[above] = 1;
      } else if (same[above] !== same[i]) {
        same[above] = MIXED;
      }
    }
    const said: { path: string; code: number; file: number }[] = [];
    const todo: number[] = [];
    const below = (node: number) => {
      for (let at = this.firstChild[node + 1] - 1; at >= this.firstChild[node]; at--) todo.push(this.children[at]);
    };
    below(ROOT);
    while (todo.length) {
      const node = todo.pop() as number;
      const file = this.file[node];
      if (file >= 0) {
        if (code[file]) said.push({ path: this.paths[file], code: code[file], file });
      } else if (same[node] === MIXED || (same[node] !== 0 && this.count[node] < 2)) {
        below(node);
      } else if (same[node] !== 0) {
        said.push({ path: `${this.folders[node]}/`, code: same[node], file: -1 });
      }
    }
    return said;
  }
}
