import type { TreeItem } from './treeFormat.ts';

/** This many names take 20 MB. */
const MAX_NAMES = 100_000;

/** Trees that were read or written: snapshots read those above a changed file repeatedly. */
export class TreeCache {
  readonly #trees = new Map<string, ReadonlyMap<string, TreeItem>>();
  #names = 0;

  has(oid: string): boolean {
    return this.#trees.has(oid);
  }

  get(oid: string): ReadonlyMap<string, TreeItem> | undefined {
    return this.#trees.get(oid);
  }

  add(oid: string, items: ReadonlyMap<string, TreeItem>): void {
    if (this.#names + items.size > MAX_NAMES) this.clear();
    this.#names += items.size + 1;
    this.#trees.set(oid, items);
  }

  clear(): void {
    this.#trees.clear();
    this.#names = 0;
  }
}
