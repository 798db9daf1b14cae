import { open, type FileHandle } from 'node:fs/promises';
import type { ByteSink } from '../../../recording/format/ports.ts';

/** A new file that only its owner can read. */
export class FileSink implements ByteSink {
  readonly #file: FileHandle;
  #length = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws if the file exists: a recording is never overwritten */
  static async create(path: string): Promise<FileSink> {
    return new FileSink(await open(path, 'wx', 0o600));
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        done,
        bytes.length - done,
        this.#length,
      );
      done += bytesWritten;
      this.#length += bytesWritten;
    }
  }

  async truncate(length: number): Promise<void> {
    await this.#file.truncate(length);
    this.#length = length;
  }

  async sync(): Promise<void> {
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
