import { UserError } from '../../base/errors.ts';
import type { Files, Processes } from '../common/ports.ts';
import { errorCode } from './errorCode.ts';
import { joinPath } from '../common/posixPath.ts';
import { hashOf } from './workspaceKey.ts';

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
 * Who is making a clone where: a symbolic link that names the process, since a link is there with what it says or not at all.
 * A maker that was killed is succeeded by making the link with the next number, which only one can. Links go in the order of
 * their numbers, so that who comes late finds the killed one gone, and does not succeed it.
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

  /** @param work done while nobody else makes a clone there. @throws UserError `destination-exists` when somebody does */
  async alone<T>(destination: string, work: () => Promise<T>): Promise<T> {
    await this.#files.makeFolder(this.#folder);
    const claims = await this.#take(destination);
    try {
      return await work();
    } finally {
      // One that cannot be removed is in nobody's way once this process has ended.
      await this.#remove(claims).catch(() => undefined);
    }
  }

  /** Removes what killed makers left. */
  async tidy(destination: string): Promise<void> {
    await this.#remove(await this.#ofKilled(destination));
  }

  /** @returns all that are to be removed in the end */
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
      // We looked long ago: others have come and gone since.
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
  return new UserError(TAKEN, `${destination} exists already.`);
}

export function isTaken(error: unknown): boolean {
  return error instanceof UserError && error.code === TAKEN;
}
