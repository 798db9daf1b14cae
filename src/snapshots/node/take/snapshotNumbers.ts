import { UserError } from '../../../base/errors.ts';
import { FIRST_ID } from '../../common/snapshotName.ts';

/**
 * Larger numbers come from other programs that don't count. The recorder does not continue from
 * such numbers, so that it never runs out of numbers.
 */
const MAX_COUNT = 2n ** 32n;

/**
 * The numbers of a session's snapshots, including other programs'. Each number names one snapshot.
 */
export class SnapshotNumbers {
  readonly #taken = new Set<bigint>();
  #last = FIRST_ID - 1n;

  /** Returns the number of the recorder's next snapshot. */
  next(): bigint {
    do this.#last += 1n;
    while (this.#taken.has(this.#last));
    this.#taken.add(this.#last);
    return this.#last;
  }

  /**
   * Gives back a number that was written nowhere. It is used again only if no larger number was
   * given out, so that numbers always increase.
   */
  release(id: bigint): void {
    if (id !== this.#last) return;
    this.#taken.delete(id);
    this.#last -= 1n;
  }

  /** Reserves the number of another program's snapshot. @throws UserError `number-taken` */
  claim(id: bigint): void {
    if (this.#taken.has(id)) {
      throw new UserError('number-taken', `Another snapshot already has the number ${id}.`);
    }
    this.#taken.add(id);
    if (id > this.#last && id <= MAX_COUNT) this.#last = id;
  }
}
