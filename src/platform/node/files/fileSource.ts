import { open, type FileHandle } from 'node:fs/promises';
import type { ByteSource } from '../../../recording/format/ports.ts';

/**
 * Reads until the buffer is full or the file ends, because a read may return less than there is.
 */
export async function fill(file: FileHandle, buffer: Buffer, offset: number): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** Reads an open file, even after another file has replaced it at its path, as repacking does. */
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
    return buffer.subarray(0, await fill(this.#file, buffer, offset));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
