import { errorCode, UserError } from '../../base/errors.ts';
import type { Files } from '../common/ports.ts';
import type { TakenSnapshot } from '../common/provider.ts';
import { parentOf } from '../common/posixPath.ts';

/** Enough: if other processes keep taking snapshots, storing a redundant one does no harm. */
const MAX_COMPARISONS = 3;

/** A complete new snapshot. */
export interface SettledSnapshot {
  readonly ref: string;
  /** The newest snapshot, if it has the same content. */
  readonly same: string | undefined;
  readonly isThere: (ref: string) => Promise<boolean>;
}

/**
 * A file that names the snapshot that the next one is compared with: the last one taken by any
 * process. A process writes the name when it will no longer discard the snapshot, and deletes the
 * name before it removes the snapshot. A snapshot that is named both before and after a comparison
 * therefore existed throughout, and can be returned instead of the new one. This needs no lock:
 * processes don't wait for each other, and a killed process leaves nothing locked. Two processes
 * that finish at the same time may both store the same content.
 */
export class NewestSnapshot {
  readonly #files: Files;
  readonly #file: string;
  /**
   * The reference that this process returned last. Another process may have taken a snapshot since.
   */
  #lastAnswer: string | undefined;

  /** @param file holds the reference; the file and its folder need not exist */
  constructor(files: Files, file: string) {
    this.#files = files;
    this.#file = file;
  }

  /** Returns the named reference; undefined if there is none or the file can't be read. */
  async read(): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await this.#files.read(this.#file));
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /**
   * Returns the newest snapshot if it equals the new one. A failed comparison, for example because
   * the snapshot is being removed, counts as different: that costs only a redundant snapshot.
   * @throws if aborted
   */
  async findSame(
    isSame: (newest: string) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (let count = 1; ; count++) {
      const newest = await this.read();
      const same = newest !== undefined && (await succeeds(() => isSame(newest), signal));
      // If another process has taken a snapshot meanwhile, compare with it: it may be the same.
      if (count < MAX_COMPARISONS && (await this.read()) !== newest) continue;
      return same ? newest : undefined;
    }
  }

  /**
   * Chooses the reference for the new content: the newest snapshot's if it is equal and still
   * exists, so that the new one is not needed; otherwise the new one's, which is then kept.
   * @throws UserError `snapshot-gone` if the new snapshot was removed meanwhile
   */
  async settle(snapshot: SettledSnapshot): Promise<Pick<TakenSnapshot, 'ref' | 'isUnchanged'>> {
    const ref = await this.#choose(snapshot);
    const isUnchanged = ref !== snapshot.ref && ref === (this.#lastAnswer ?? ref);
    this.#lastAnswer = ref;
    return { ref, isUnchanged };
  }

  async #choose({ ref, same, isThere }: SettledSnapshot): Promise<string> {
    if (same !== undefined && (await this.read()) === same && (await isThere(same))) return same;
    await this.#name(ref);
    if (await isThere(ref)) return ref;
    throw new UserError(
      'snapshot-gone',
      `Another process removed the snapshot ${ref} before it was complete.`,
    );
  }

  /** Call before removing a snapshot. */
  async forget(ref: string): Promise<void> {
    if ((await this.read()) === ref) await this.#files.removeTree(this.#file);
  }

  async #name(ref: string): Promise<void> {
    const write = () => this.#files.write(this.#file, new TextEncoder().encode(ref));
    try {
      await write().catch(async (error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
        await this.#files.makeFolder(parentOf(this.#file));
        await write();
      });
    } catch (error) {
      // The disk may be full, for example. The new snapshot is kept, and the next one is compared
      // with the one that is still named.
      if (errorCode(error) === undefined) throw error;
    }
  }
}

async function succeeds(check: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  try {
    return await check();
  } catch {
    // A snapshot that can't be checked is not reused: a new one is always right.
    signal.throwIfAborted();
    return false;
  }
}
