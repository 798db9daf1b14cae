import type { ByteSource } from '../format/ports.ts';

/** A block of a running recording has a few hundred bytes, so one window contains many headers. */
const WINDOW_BYTES = 64 * 1024;

/** Serves small reads of neighbouring bytes from one larger read. The source must not change. */
export class WindowedSource {
  readonly #source: ByteSource;
  readonly size: number;
  #window: Uint8Array = new Uint8Array(0);
  #windowOffset = 0;

  constructor(source: ByteSource, size: number) {
    this.#source = source;
    this.size = size;
  }

  /**
   * Reads at most `WINDOW_BYTES`; returns less than `length` only at the end of the source.
   */
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
