import { open, type FileHandle } from 'node:fs/promises';
import type { ByteSource } from '../../../recording/format/ports.ts';

/** An open file. It stays the same file when its path is given to another, as when a recording is repacked. */
export class FileSource implements ByteSource {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<FileSource> {
    return new FileSource(await open(path, 'r'));
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#file.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
