import { dropOldest } from '../dropOldest.ts';
import { hash53 } from './contentKey.ts';

/** Bounds memory to about 10 MB of hashes; the oldest are dropped first. */
const MAX_SEEN = 200_000;

/** A bounded set of strings, stored as hashes. */
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
    dropOldest(this.#hashes, MAX_SEEN);
    return true;
  }
}
