import { errorCode } from '../../base/errors.ts';
import { joinPath } from '../common/posixPath.ts';
import type { GitPorts } from './gitPorts.ts';
import { readScanState, writeScanState } from './scan/scanState.ts';
import { acquireLock } from './storageLock.ts';

/** Our folder for one workspace: object store, indexes and temporary files. */
export class Storage {
  readonly folder: string;
  readonly #ports: GitPorts;

  constructor(ports: GitPorts, folder: string) {
    this.#ports = ports;
    this.folder = folder;
  }

  async prepare(): Promise<void> {
    for (const name of ['', 'tmp']) await this.#ports.files.makeFolder(joinPath(this.folder, name));
  }

  /**
   * Runs a task while no other process uses this folder; first cleans up after a killed process.
   */
  async exclusively<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    const lock = await acquireLock(this.#ports, this.folder, signal);
    try {
      if (lock.isAfterCrash) await this.#recover(lock.freeLink);
      return await task();
    } finally {
      await lock.release();
    }
  }

  async indexes(generation: number): Promise<string> {
    const folder = joinPath(this.folder, `indexes/${generation}`);
    await this.#ports.files.makeFolder(folder);
    return folder;
  }

  async removeIndexes(generation: number): Promise<void> {
    await this.#ports.files.removeTree(joinPath(this.folder, `indexes/${generation}`));
  }

  /**
   * A git process started by the killed process may still write to its index, so continue with
   * copies in another folder.
   */
  async #recover(ownFreeLink: string): Promise<void> {
    const { files } = this.#ports;
    const state = await readScanState(this.#ports, this.folder);
    const old = await this.indexes(state.generation);
    const fresh = await this.indexes(state.generation + 1);
    for (const { name, kind } of await files.list(old)) {
      if (kind !== 'file' || name.includes('.')) continue;
      await files.write(joinPath(fresh, name), await files.read(joinPath(old, name)));
    }
    // The copied indexes have file times, but the permissions seen with them were not saved.
    const next = { ...state, generation: state.generation + 1, modes: undefined };
    await writeScanState(this.#ports, this.folder, next);
    await this.removeIndexes(state.generation);
    for (const { name } of await files.list(joinPath(this.folder, 'tmp'))) {
      await files.removeTree(joinPath(this.folder, `tmp/${name}`));
    }
    for (const { name } of await files.list(this.folder)) {
      const path = joinPath(this.folder, name);
      if (name.endsWith('.tmp') || (name.startsWith('free-') && path !== ownFreeLink)) {
        await files.remove(path).catch((error: unknown) => {
          // Untested: any other error fails the snapshot; the file is removed after the next crash.
          if (errorCode(error) !== 'ENOENT') throw error;
        });
      }
    }
  }
}
