import { UserError } from '../../base/errors.ts';
import type { Files } from '../common/ports.ts';
import type { TakenSnapshot } from '../common/provider.ts';
import { errorCode } from './errorCode.ts';
import { parentOf } from '../common/posixPath.ts';

/** When others keep states all the time, one more that is the same does no harm. */
const MAX_COMPARISONS = 3;

/** A new snapshot of which all is known. */
export interface SettledSnapshot {
  readonly ref: string;
  /** The newest, when both hold the same. */
  readonly same: string | undefined;
  readonly isThere: (ref: string) => Promise<boolean>;
}

/**
 * Names the snapshot that the next one is compared with: the one that was kept last, by whichever process. It is named when
 * whoever takes it will not take it away again, and no longer named when somebody is about to remove it. So one that is
 * named before a comparison and after it was whole all the time, and may be answered in the place of the new one. That takes
 * no lock: nobody waits for others, and a kill leaves nothing that is held. Two who end at the same time may both keep the same.
 */
export class NewestKept {
  readonly #files: Files;
  readonly #file: string;
  /** Others may have kept another state since. */
  #lastAnswer: string | undefined;

  /** @param file holds its reference; need not exist, nor the folder it is in */
  constructor(files: Files, file: string) {
    this.#files = files;
    this.#file = file;
  }

  /** Undefined when there is none, or it cannot be told: then there is nothing to compare with. */
  async read(): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await this.#files.read(this.#file));
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /**
   * The newest, if a comparison of a new one with it finds no difference. A comparison that fails, as when somebody removes
   * what is compared, has found out nothing: it costs a snapshot more, not the snapshot. @throws when it was aborted
   */
  async findSame(
    isSame: (newest: string) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (let count = 1; ; count++) {
      const newest = await this.read();
      const same = newest !== undefined && (await succeeds(() => isSame(newest), signal));
      // Somebody else has kept another one meanwhile, maybe of the same state.
      if (count < MAX_COMPARISONS && (await this.read()) !== newest) continue;
      return same ? newest : undefined;
    }
  }

  /**
   * Which reference stands for the new state: that of the newest, if it is the same and stays, so that the new one is not
   * needed; otherwise its own, and then nothing may take it away again but a removal.
   * @throws UserError `snapshot-gone` when somebody has removed the new one
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
    throw new UserError('snapshot-gone', `The snapshot ${ref} was removed while it was taken.`);
  }

  /** To be called before a snapshot is removed. */
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
      // On a full disk, say. The one that is named is still there to compare with; the new one is kept all the same.
      if (errorCode(error) === undefined) throw error;
    }
  }
}

async function succeeds(check: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  try {
    return await check();
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
