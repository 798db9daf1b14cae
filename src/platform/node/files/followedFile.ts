import { fill } from './fileSource.ts';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { errorCode, messageOf, UserError } from '../../../base/errors.ts';
import type { FollowedSource } from '../../../terminal/lines/recordingContent.ts';

/**
 * Reads the file at a path. Until `follow` is called, it keeps reading the same file, even if
 * another one has replaced it at the path.
 */
export class FollowedFile implements FollowedSource {
  readonly #path: string;
  #file: FileHandle | undefined;
  #isDisposed = false;

  constructor(path: string) {
    this.#path = path;
  }

  async follow(): Promise<void> {
    try {
      if (this.#file && (await this.#isStillThere(this.#file))) return;
      const file = await open(this.#path, 'r');
      const previous = this.#file;
      this.#file = file;
      await previous?.close();
      if (this.#isDisposed) await file.close();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      throw new UserError(code === 'ENOENT' ? 'recording-gone' : 'cannot-read', messageOf(error), {
        cause: error,
      });
    }
  }

  /** Whether the open file is still the one at the path. */
  async isCurrent(): Promise<boolean> {
    return this.#file !== undefined && (await this.#isStillThere(this.#file).catch(() => false));
  }

  async size(): Promise<number> {
    return (await this.#opened().stat()).size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, await fill(this.#opened(), buffer, offset));
  }

  dispose(): void {
    this.#isDisposed = true;
    // Closing twice fails without harm.
    void this.#file?.close().catch(() => {});
  }

  #opened(): FileHandle {
    if (!this.#file) throw new Error('The file is not open: call follow() first.');
    return this.#file;
  }

  async #isStillThere(file: FileHandle): Promise<boolean> {
    const [now, then] = await Promise.all([stat(this.#path), file.stat()]);
    return now.ino === then.ino && now.dev === then.dev;
  }
}
