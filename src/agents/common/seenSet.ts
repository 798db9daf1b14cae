import { hash53 } from './contentKey.ts';

/** Names that were seen, as numbers: 200,000 of them take 10 MB at most, and the oldest go first. */
const MAX_SEEN = 200_000;

/** Remembers which names it was given. */
export class SeenSet {
  readonly #hashes = new Set<number>();

  has(name: string): boolean {
    return this.#hashes.has(hash53(name));
  }

  /** @returns whether the name is new */
  add(name: string): boolean {
    const hash = hash53(name);
    if (this.#hashes.has(hash)) return false;
    this.#hashes.add(hash);
    if (this.#hashes.size > MAX_SEEN) {
      const oldest = this.#hashes.values().next();
      if (!oldest.done) this.#hashes.delete(oldest.value);
    }
    return true;
  }
}
