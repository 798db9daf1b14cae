import type { ByteSink, ByteSource } from '../../../src/recording/format/ports.ts';

/** A file in memory that can fail, write partially, or hang. */
export class MemoryFile implements ByteSource, ByteSink {
  bytes: Uint8Array = new Uint8Array(0);
  appends = 0;
  syncs = 0;
  reads = 0;
  /** Length of the file when it was last synced. */
  syncedLength = 0;
  /** Called before each append: number of bytes to write before failing; `undefined` writes all. */
  failAppend: () => number | undefined = () => undefined;
  failTruncate = false;
  failSync = false;
  /** Appends and syncs wait for this promise. */
  gate: Promise<void> = Promise.resolve();

  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.bytes = bytes;
  }

  size(): Promise<number> {
    return Promise.resolve(this.bytes.length);
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    this.reads++;
    // Like a file, rejects invalid ranges.
    if (offset < 0 || length < 0) return Promise.reject(new RangeError('no such range'));
    return Promise.resolve(this.bytes.slice(offset, offset + length));
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.gate;
    this.appends++;
    const limit = this.failAppend();
    this.bytes = Buffer.concat([this.bytes, bytes.subarray(0, limit)]);
    if (limit !== undefined) throw new Error('no space left on device');
  }

  truncate(length: number): Promise<void> {
    if (this.failTruncate) return Promise.reject(new Error('truncate failed'));
    this.bytes = this.bytes.slice(0, length);
    return Promise.resolve();
  }

  async sync(): Promise<void> {
    const length = this.bytes.length;
    await this.gate;
    this.syncs++;
    if (this.failSync) throw new Error('sync failed');
    this.syncedLength = length;
  }
}
