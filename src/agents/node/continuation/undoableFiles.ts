import { errorCode } from '../../../base/errors.ts';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Smaller contents are written synchronously, which is faster than a thread switch. */
const MAX_AT_ONCE = 64 * 1024;

/** Creates files that can be removed again. Never overwrites an existing file. */
export class UndoableFiles {
  readonly #created: string[] = [];
  readonly #folders: string[] = [];

  get created(): readonly string[] {
    return this.#created;
  }

  /** @throws when the file exists */
  async create(file: string, content: string): Promise<void> {
    if (existsSync(file)) throw Object.assign(new Error(`EEXIST: ${file}`), { code: 'EEXIST' });
    const folder = path.dirname(file);
    this.#folders.push(...missingFolders(folder));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The file is not synced to the disk: right after a clone, a sync would also write all cloned
    // files.
    const descriptor = openSync(file, 'wx', 0o600);
    this.#created.push(file);
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
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }

  /** Removes the created files, and the folders created for them if they are empty. */
  async undo(): Promise<void> {
    for (const file of this.#created.splice(0)) await rm(file, { force: true });
    // A folder that isn't empty has files of other programs, so it stays.
    for (const folder of this.#folders.splice(0).reverse()) await rmdir(folder).catch(() => {});
  }
}

/** The missing folders of a path, topmost first. */
export function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let above = folder; !existsSync(above); above = path.dirname(above)) missing.unshift(above);
  return missing;
}
