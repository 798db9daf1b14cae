import { mkdir, open, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

/** Files that are made, and can be taken back. Nothing that was there is ever written over. */
export class UndoableFiles {
  readonly #made: string[] = [];
  readonly #folders: string[] = [];

  get made(): readonly string[] {
    return this.#made;
  }

  /** @throws when there is such a file already */
  async create(file: string, content: string): Promise<void> {
    await this.#makeFolder(path.dirname(file));
    const handle = await open(file, 'wx', 0o600);
    this.#made.push(file);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
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

  async #makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    const below = path.relative(first, folder).split(path.sep).filter(Boolean);
    this.#folders.push(first);
    for (const index of below.keys()) {
      this.#folders.push(path.join(first, ...below.slice(0, index + 1)));
    }
  }
}
