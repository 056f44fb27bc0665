/** Where the person is in the tree: the active row, the selected rows, how far it is scrolled. Survives a change of screen. */
import { workbench } from './workbench.svelte';

class Place {
  active = $state(-1);
  selRev = $state(0);
  selected = new Set<number>();
  anchor = -1;
  top = 0;
  private tree = workbench.tree;

  select(nodes: Iterable<number>): void {
    const before = this.selected.size;
    this.selected = new Set(nodes);
    if (before || this.selected.size) this.selRev++;
  }

  flip(node: number): void {
    if (!this.selected.size && this.active > 0 && this.active !== node) this.selected.add(this.active);
    if (this.selected.has(node)) this.selected.delete(node);
    else this.selected.add(node);
    this.selRev++;
  }

  /** Finds rows again by path when the tree is another one. */
  settle(): void {
    if (this.tree === workbench.tree) return;
    const before = this.tree;
    const again = (node: number) => (node > 0 && node < before.nodes ? workbench.tree.find(before.path(node)) : -1);
    this.active = again(this.active);
    this.anchor = again(this.anchor);
    this.select([...this.selected].map(again).filter((node) => node > 0));
    this.tree = workbench.tree;
  }

  /** Goes to a file by its path. */
  to(path: string): void {
    this.settle();
    const node = workbench.tree.find(path);
    if (node <= 0) return;
    workbench.tree.reveal(node);
    this.active = node;
    this.anchor = node;
    this.select([]);
  }
}

export const place = new Place();
