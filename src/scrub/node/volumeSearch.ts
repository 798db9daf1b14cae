import { errorCode } from '../../base/errors.ts';
import { open, readdir, readlink, stat, lstat } from 'node:fs/promises';
import path from 'node:path';
import { hasTextIn, streamHasText } from './hiddenText.ts';
import type { ScrubText } from './textForms.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Errors of the file system; all other errors are bugs and are thrown. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'EIO']);

/**
 * Searches snapshots of the same files for a text. A file that is unchanged between snapshots is
 * read once, recognized by its inode and times.
 */
export class VolumeSearch {
  readonly #scrubText: ScrubText;
  readonly #clean = new Set<string>();
  readonly #unreadable: string[] = [];

  constructor(scrubText: ScrubText) {
    this.#scrubText = scrubText;
  }

  /** Paths that could not be searched. */
  get unreadable(): readonly string[] {
    return this.#unreadable;
  }

  /** Whether the text is in a name, a link target or a file's content. */
  async isIn(folder: string): Promise<boolean> {
    this.#scrubText.signal.throwIfAborted();
    const entries = await this.#tried(folder, () =>
      readdir(folder, { withFileTypes: true, encoding: 'buffer' }),
    );
    for (const entry of entries ?? []) {
      if (this.#has(entry.name)) return true;
      // Names may be invalid UTF-8, so paths are built from bytes.
      const place = Buffer.concat([Buffer.from(`${folder}/`), entry.name]);
      if (entry.isDirectory() && (await this.#isBelow(place))) return true;
      if (entry.isSymbolicLink() && (await this.#isInLink(place))) return true;
      if (entry.isFile() && (await this.#isInFile(place))) return true;
    }
    return false;
  }

  /** Searches a folder. One with an invalid UTF-8 name is addressed by its file descriptor. */
  async #isBelow(place: Buffer): Promise<boolean> {
    const name = place.toString('utf8');
    if (Buffer.from(name).equals(place)) return this.isIn(name);
    const handle = await this.#tried(name, () => open(place, 'r'));
    if (!handle) return false;
    try {
      return await this.isIn(`/proc/self/fd/${handle.fd}`);
    } finally {
      await handle.close();
    }
  }

  async #isInLink(place: Buffer): Promise<boolean> {
    const target = await this.#tried(place.toString('utf8'), () => readlink(place, 'buffer'));
    return target !== undefined && this.#has(target);
  }

  async #isInFile(place: Buffer): Promise<boolean> {
    const name = place.toString('utf8');
    const stats = await this.#tried(name, () => lstat(place, { bigint: true }));
    const key = stats && [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
    if (key === undefined || this.#clean.has(key)) return false;
    const found = await this.#tried(name, () => this.#read(place, name));
    if (found === true) return true;
    if (found === false) this.#clean.add(key);
    return false;
  }

  async #read(place: Buffer, name: string): Promise<boolean> {
    const handle = await open(place, 'r');
    try {
      const chunks = handle.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES });
      if (
        await streamHasText(
          chunks as AsyncIterable<Buffer>,
          this.#scrubText.forms,
          this.#scrubText.signal,
        )
      ) {
        return true;
      }
    } finally {
      await handle.close();
    }
    return hasTextIn(name, this.#scrubText);
  }

  #has(bytes: Buffer): boolean {
    return this.#scrubText.forms.some((form) => bytes.includes(form));
  }

  async #tried<T>(name: string, task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (!UNREADABLE.has(errorCode(error) ?? '')) throw error;
      this.#unreadable.push(name);
      return undefined;
    }
  }
}

/** Whether a path exists in a snapshot. */
export async function isThere(folder: string, relative: string): Promise<boolean> {
  return stat(path.join(folder, relative)).then(
    () => true,
    () => false,
  );
}
