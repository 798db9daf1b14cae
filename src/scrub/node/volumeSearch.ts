import { open, readdir, readlink, stat, lstat } from 'node:fs/promises';
import path from 'node:path';
import { hasTextIn, streamHasText } from './hiddenText.ts';

const CHUNK_BYTES = 1024 * 1024;
/** What ends in an error without one is a bug, and not the file's fault. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'EIO']);

/**
 * Looks for a text in folders that are states of the same files. What one state has been read for is not read again in the
 * next: a snapshot keeps a file's number and times.
 */
export class VolumeSearch {
  readonly #forms: readonly Buffer[];
  readonly #text: string;
  readonly #signal: AbortSignal;
  readonly #clean = new Set<string>();
  readonly #unreadable: string[] = [];

  constructor(forms: readonly Buffer[], text: string, signal: AbortSignal) {
    this.#forms = forms;
    this.#text = text;
    this.#signal = signal;
  }

  /** What nobody can say of whether the text is in it. */
  get unreadable(): readonly string[] {
    return this.#unreadable;
  }

  /** In the name, target or content of anything below. */
  async isIn(folder: string): Promise<boolean> {
    this.#signal.throwIfAborted();
    const entries = await this.#tried(folder, () =>
      readdir(folder, { withFileTypes: true, encoding: 'buffer' }),
    );
    for (const entry of entries ?? []) {
      if (this.#has(entry.name)) return true;
      // Bytes that are no UTF-8 have to find their way back.
      const place = Buffer.concat([Buffer.from(`${folder}/`), entry.name]);
      if (entry.isDirectory() && (await this.#isBelow(place))) return true;
      if (entry.isSymbolicLink() && (await this.#isInLink(place))) return true;
      if (entry.isFile() && (await this.#isInFile(place))) return true;
    }
    return false;
  }

  /** A name that is no UTF-8 cannot be said in a text: such a folder is named by what is open. */
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
      if (await streamHasText(chunks as AsyncIterable<Buffer>, this.#forms, this.#signal)) {
        return true;
      }
    } finally {
      await handle.close();
    }
    return hasTextIn(name, { forms: this.#forms, text: this.#text, signal: this.#signal });
  }

  #has(bytes: Buffer): boolean {
    return this.#forms.some((form) => bytes.includes(form));
  }

  async #tried<T>(name: string, task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (!UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      this.#unreadable.push(name);
      return undefined;
    }
  }
}

/** Whether there is something at that place of a state. */
export async function isThere(folder: string, relative: string): Promise<boolean> {
  return stat(path.join(folder, relative)).then(
    () => true,
    () => false,
  );
}
