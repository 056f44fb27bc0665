/**
 * The outline of a tree of nodes for walking and drawing: parent, child, siblings, hoisting, a picture.
 * Takes the server's list (parents may come after children), gives flat arrays. Nothing here recurses.
 */
import type { LoomNode } from './types';

export class LoomTreeModel {
  readonly at = new Map<string, number>();
  readonly parent: Int32Array;
  readonly level: Int32Array;
  readonly kids: number[][];
  readonly roots: number[] = [];

  constructor(readonly nodes: LoomNode[]) {
    nodes.forEach((node, index) => this.at.set(node.local, index));
    this.parent = new Int32Array(nodes.length).fill(-1);
    this.level = new Int32Array(nodes.length);
    this.kids = nodes.map(() => []);
    nodes.forEach((node, index) => {
      const above = node.parent === null ? undefined : this.at.get(node.parent);
      if (above === undefined || above === index) this.roots.push(index);
      else {
        this.parent[index] = above;
        this.kids[above].push(index);
      }
    });
    for (const index of this.order(null)) {
      const above = this.parent[index];
      this.level[index] = above < 0 ? 0 : this.level[above] + 1;
    }
  }

  /** Where a talk goes on in more than one way. Remarks are no branches. */
  forks(): number[] {
    return this.order(null).filter((index) => this.kids[index].filter((kid) => !this.nodes[kid].annotation).length > 1);
  }

  /**
   * Where the path leaves what was sent before: at the first node on it that is excluded. What stands before, a provider can give from its cache.
   * None where nothing on the path is excluded.
   */
  leaves(): { at: number; kept: number } | null {
    const path = this.nodes.flatMap((node, index) => (node.on_path ? [index] : [])).sort((a, b) => this.level[a] - this.level[b]);
    const first = path.findIndex((index) => this.nodes[index].excluded);
    if (first < 0) return null;
    return { at: path[first], kept: path.slice(0, first).reduce((sum, index) => sum + this.nodes[index].tokens, 0) };
  }

  /** From top to bottom, each node before what follows it; from `top` alone where that is given. */
  order(top: number | null): number[] {
    const found: number[] = [];
    const todo = top === null ? [...this.roots].reverse() : [top];
    while (todo.length) {
      const index = todo.pop() as number;
      found.push(index);
      const kids = this.kids[index];
      for (let i = kids.length - 1; i >= 0; i--) todo.push(kids[i]);
    }
    return found;
  }

  /**
   * How far each row is set in: side branches are, the branch that goes on is not, so that a long talk stays at the
   * margin. The one that goes on is the one on the path, else the last.
   */
  indents(rows: number[]): Int32Array {
    const depth = new Int32Array(this.nodes.length);
    const indents = new Int32Array(rows.length);
    rows.forEach((index, row) => {
      if (row > 0) {
        const above = this.parent[index];
        depth[index] = (above < 0 ? 0 : depth[above]) + (this.isSide(index) ? 1 : 0);
      }
      indents[row] = depth[index];
    });
    return indents;
  }

  /** Whether a node begins a branch beside the one that goes on. */
  isSide(index: number): boolean {
    if (this.nodes[index].annotation) return true;
    const siblings = this.siblings(index);
    if (siblings.length < 2) return false;
    const main = siblings.find((one) => this.nodes[one].on_path) ?? siblings.findLast((one) => !this.nodes[one].annotation);
    return main !== index;
  }

  siblings(index: number): number[] {
    const above = this.parent[index];
    return above < 0 ? this.roots : this.kids[above];
  }

  sibling(index: number, step: 1 | -1): number {
    const all = this.siblings(index);
    const next = all.indexOf(index) + step;
    return next >= 0 && next < all.length ? all[next] : index;
  }

  /** The child last visited, else the one on the path, else the first. */
  child(index: number, visited: ReadonlyMap<number, number>): number {
    const kids = this.kids[index];
    if (!kids.length) return index;
    const before = visited.get(index);
    if (before !== undefined && kids.includes(before)) return before;
    return kids.find((kid) => this.nodes[kid].on_path) ?? kids[0];
  }

  /** Places for a picture: a column per level, a line per leaf, parents in the middle of what follows. */
  layout(top: number | null): { index: number; x: number; y: number }[] {
    const order = this.order(top);
    const y = new Float64Array(this.nodes.length);
    let line = 0;
    for (let i = order.length - 1; i >= 0; i--) if (!this.kids[order[i]].length) y[order[i]] = -1;
    for (const index of order) if (!this.kids[index].length) y[index] = line++;
    for (let i = order.length - 1; i >= 0; i--) {
      const kids = this.kids[order[i]];
      if (kids.length) y[order[i]] = (y[kids[0]] + y[kids[kids.length - 1]]) / 2;
    }
    const from = top === null ? 0 : this.level[top];
    return order.map((index) => ({ index, x: this.level[index] - from, y: y[index] }));
  }
}
