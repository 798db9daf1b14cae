import type { ByteSource } from '../format/ports.ts';

/** A header takes 44 bytes and a live block a few hundred: one read brings many of them. */
const WINDOW_BYTES = 64 * 1024;

/** Small reads of neighbouring bytes, served from one larger read. For a source that does not change meanwhile. */
export class WindowedSource {
  readonly #source: ByteSource;
  readonly size: number;
  #window: Uint8Array = new Uint8Array(0);
  #windowOffset = 0;

  constructor(source: ByteSource, size: number) {
    this.#source = source;
    this.size = size;
  }

  /** Up to `length` bytes, at most a window; fewer only at the end. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const end = Math.min(offset + length, this.size);
    if (offset < this.#windowOffset || end > this.#windowOffset + this.#window.length) {
      this.#window = await this.#source.read(offset, Math.min(WINDOW_BYTES, this.size - offset));
      this.#windowOffset = offset;
    }
    const start = offset - this.#windowOffset;
    return this.#window.subarray(start, start + length);
  }
}
