import { UserError } from '../../../base/errors.ts';
import { FIRST_ID } from '../../common/snapshotName.ts';

/**
 * Larger numbers of other programs are no counters. The recorder does not continue from them, to
 * never run out of numbers.
 */
const MAX_COUNT = 2n ** 32n;

/** The numbers of a session's snapshots, those of other programs included. Each names one snapshot. */
export class SnapshotNumbers {
  readonly #taken = new Set<bigint>();
  #last = FIRST_ID - 1n;

  /** A number for the recorder's next snapshot, larger than all counted before. */
  next(): bigint {
    do this.#last += 1n;
    while (this.#taken.has(this.#last));
    this.#taken.add(this.#last);
    return this.#last;
  }

  /**
   * Returns a number that was written nowhere. It is used again only if it is the last, so that
   * numbers never go back.
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
