/** Steps that can be taken back, a limited number of them. Keeps steps, not states; who undoes applies `before`. */
export class Undo<T> {
  private done: T[] = [];
  private undone: T[] = [];

  constructor(readonly limit = 100) {}

  push(step: T): void {
    this.done.push(step);
    if (this.done.length > this.limit) this.done.shift();
    this.undone = [];
  }

  undo(): T | undefined {
    const step = this.done.pop();
    if (step !== undefined) this.undone.push(step);
    return step;
  }

  redo(): T | undefined {
    const step = this.undone.pop();
    if (step !== undefined) this.done.push(step);
    return step;
  }

  /** Forgets the newest step, as one that the server refused. */
  drop(): void {
    this.done.pop();
  }

  /** Rewrites or drops every step, as after the files were numbered anew. */
  map(change: (step: T) => T | null): void {
    const kept = (steps: T[]) => steps.map(change).filter((step): step is Awaited<T> & T => step !== null);
    this.done = kept(this.done);
    this.undone = kept(this.undone);
  }

  clear(): void {
    this.done = [];
    this.undone = [];
  }

  get size(): number {
    return this.done.length;
  }

  get ahead(): number {
    return this.undone.length;
  }

  get last(): T | undefined {
    return this.done[this.done.length - 1];
  }
}
