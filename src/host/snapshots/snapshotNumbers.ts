import { UserError } from '../../base/errors.ts';
import { FIRST_ID } from '../../snapshots/common/snapshotName.ts';

/** No session counts so far: a larger number is somebody's mark. Ours do not go on from it, and so never come to the end of numbers. */
const MAX_COUNT = 2n ** 32n;

/** The numbers of a session's moments, ours and those that others bring along. None means two of them. */
export class SnapshotNumbers {
  readonly #taken = new Set<bigint>();
  #last = FIRST_ID - 1n;

  /** For a moment of ours: later ones have larger numbers, larger than what others have counted to before, too. */
  next(): bigint {
    do this.#last += 1n;
    while (this.#taken.has(this.#last));
    this.#taken.add(this.#last);
    return this.#last;
  }

  /** For a moment that somebody else has numbered. @throws UserError when the number means another one */
  claim(id: bigint): void {
    if (this.#taken.has(id)) {
      throw new UserError('number-taken', `The number ${id} is taken by another snapshot.`);
    }
    this.#taken.add(id);
    if (id > this.#last && id <= MAX_COUNT) this.#last = id;
  }
}
