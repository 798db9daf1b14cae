import { existsSync } from 'node:fs';
import { mkdir, open, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

/** @param folders those that have to be made for it, from above */
export type WillMake = (file: string, folders: readonly string[]) => Promise<void>;

/** Files that are made, and can be taken back. Nothing that was there is ever written over. */
export class UndoableFiles {
  readonly #made: string[] = [];
  readonly #folders: string[] = [];
  readonly #willMake: WillMake;

  /** @param willMake is waited for before a file is made: what a kill leaves is known then */
  constructor(willMake: WillMake = () => Promise.resolve()) {
    this.#willMake = willMake;
  }

  get made(): readonly string[] {
    return this.#made;
  }

  /** @throws when there is such a file already */
  async create(file: string, content: string): Promise<void> {
    if (existsSync(file)) throw Object.assign(new Error(`EEXIST: ${file}`), { code: 'EEXIST' });
    const folder = path.dirname(file);
    const missing = missingFolders(folder);
    await this.#willMake(file, missing);
    this.#folders.push(...missing);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(file, 'wx', 0o600);
    this.#made.push(file);
    // Not waited for until it is on the disk: right after a clone that takes as long as all of its files.
    await handle.writeFile(content).finally(() => handle.close());
  }

  async createIfMissing(file: string, content: string): Promise<void> {
    try {
      await this.create(file, content);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  /** The files, and the folders that were made for them, unless somebody else put something there. */
  async undo(): Promise<void> {
    for (const file of this.#made.splice(0)) await rm(file, { force: true });
    for (const folder of this.#folders.splice(0).reverse()) await rmdir(folder).catch(() => {});
  }
}

/** From above. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let above = folder; !existsSync(above); above = path.dirname(above)) missing.unshift(above);
  return missing;
}
