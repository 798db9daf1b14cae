import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writing so much takes less time than to hand it to another thread, and nobody notices. */
const MAX_AT_ONCE = 64 * 1024;

/** Files that are made, and can be taken back. Nothing that was there is ever written over. */
export class UndoableFiles {
  readonly #made: string[] = [];
  readonly #folders: string[] = [];

  get made(): readonly string[] {
    return this.#made;
  }

  /** @throws when there is such a file already */
  async create(file: string, content: string): Promise<void> {
    if (existsSync(file)) throw Object.assign(new Error(`EEXIST: ${file}`), { code: 'EEXIST' });
    const folder = path.dirname(file);
    this.#folders.push(...missingFolders(folder));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Not waited for until it is on the disk: right after a clone that takes as long as all of its files.
    const descriptor = openSync(file, 'wx', 0o600);
    this.#made.push(file);
    try {
      if (content.length <= MAX_AT_ONCE) writeFileSync(descriptor, content);
      else await writeFile(file, content);
    } finally {
      closeSync(descriptor);
    }
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

/** Those that are missing on the way to a folder, and it itself, from above. */
export function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let above = folder; !existsSync(above); above = path.dirname(above)) missing.unshift(above);
  return missing;
}
