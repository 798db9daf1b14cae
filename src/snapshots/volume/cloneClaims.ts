import { errorCode, UserError } from '../../base/errors.ts';
import type { Files, Processes } from '../common/ports.ts';
import { joinPath } from '../common/posixPath.ts';
import { hashOf } from './storageKey.ts';

const TAKEN = 'destination-exists';

interface ClaimPorts {
  readonly files: Files;
  readonly processes: Processes;
}

interface Claim {
  readonly link: string;
  readonly maker: string;
}

/**
 * Lets one process at a time make a clone at a destination. Unlike the lock of a git storage, a
 * claim fails at once instead of waiting, and leaves nothing behind.
 *
 * A claim is a symbolic link whose target names the process: a link is created together with its
 * target, so no claim is ever without a name. A process takes over from a killed one by creating
 * the link with the next number, which only one process can. Claims are removed from the lowest
 * number on. So a process whose check is outdated finds that the killed process's claim is gone,
 * and gives up.
 */
export class CloneClaims {
  readonly #files: Files;
  readonly #processes: Processes;
  readonly #folder: string;

  constructor({ files, processes }: ClaimPorts, folder: string) {
    this.#files = files;
    this.#processes = processes;
    this.#folder = folder;
  }

  /**
   * @param work runs while no other process makes a clone there
   * @throws UserError `destination-exists` if another process does
   */
  async exclusively<T>(destination: string, work: () => Promise<T>): Promise<T> {
    await this.#files.makeFolder(this.#folder);
    const claims = await this.#take(destination);
    try {
      return await work();
    } finally {
      // A claim that can't be removed is harmless once this process has ended.
      await this.#remove(claims).catch(() => undefined);
    }
  }

  /** Removes the claims of killed processes. */
  async tidy(destination: string): Promise<void> {
    await this.#remove(await this.#ofKilled(destination));
  }

  /** @returns the claims to remove when the work is done */
  async #take(destination: string): Promise<Claim[]> {
    const before = await this.#ofKilled(destination);
    const link = this.#linkOf(destination, before.length + 1);
    const own = { link, maker: this.#processes.own };
    try {
      await this.#files.link(own.maker, own.link);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw destinationExists(destination);
      throw error;
    }
    const last = before.at(-1);
    if (last && (await this.#makerOf(last.link)) !== last.maker) {
      // Our check is outdated: other processes have claimed and released the destination since
      // then.
      await this.#remove([own]);
      throw destinationExists(destination);
    }
    return [...before, own];
  }

  async #ofKilled(destination: string): Promise<Claim[]> {
    const killed: Claim[] = [];
    for (;;) {
      const link = this.#linkOf(destination, killed.length + 1);
      const maker = await this.#makerOf(link);
      if (maker === undefined || (await this.#processes.isAlive(maker))) return killed;
      killed.push({ link, maker });
    }
  }

  async #makerOf(link: string): Promise<string | undefined> {
    try {
      return await this.#files.readLink(link);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #remove(claims: readonly Claim[]): Promise<void> {
    for (const { link } of claims) await this.#files.removeTree(link);
  }

  #linkOf(destination: string, number: number): string {
    return joinPath(this.#folder, `${hashOf(destination)}.${number}`);
  }
}

export function destinationExists(destination: string): UserError {
  return new UserError(TAKEN, `${destination} already exists.`);
}

export function isTaken(error: unknown): boolean {
  return error instanceof UserError && error.code === TAKEN;
}
