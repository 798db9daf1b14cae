import { encodeBlock } from '../format/format.ts';
import type { Compressor } from '../format/ports.ts';
import type { Segment } from './segmentBuilder.ts';

/**
 * Two blocks are compressed at a time, on two cores. The rest of Node's thread pool stays free for
 * other work.
 */
const PARALLEL_COMPRESSIONS = 2;
/**
 * Brotli quality while output floods in. It is several times faster than quality 4, so that the
 * recorder keeps up and leaves the processor to the program.
 */
const FLOOD_QUALITY = 1;

/** Encodes segments as blocks, in order. */
export class BlockEncoder {
  readonly #compressor: Compressor;
  readonly #quality: number;
  readonly #waiting: (() => void)[] = [];
  readonly #floodBytes: number;
  #running = 0;

  /**
   * @param floodBytes a segment of at least this length was full before its time limit, because
   * output floods in
   */
  constructor(compressor: Compressor, quality: number, floodBytes: number) {
    this.#compressor = compressor;
    this.#quality = quality;
    this.#floodBytes = floodBytes;
  }

  /**
   * Starts encoding at once.
   * @returns a function that waits for the result; if encoding failed, calling it again tries again
   */
  begin(segment: Segment, isLast: boolean): () => Promise<Uint8Array> {
    let encoding: Promise<Uint8Array> | undefined;
    const result = (): Promise<Uint8Array> => {
      if (!encoding) {
        encoding = this.#encode(segment, isLast);
        // Calling `result` again tries again.
        encoding.catch(() => (encoding = undefined));
      }
      return encoding;
    };
    void result();
    return result;
  }

  async #encode(segment: Segment, isLast: boolean): Promise<Uint8Array> {
    await this.#enter();
    try {
      const isFlood = segment.bytes.length >= this.#floodBytes;
      const quality = isFlood ? Math.min(FLOOD_QUALITY, this.#quality) : this.#quality;
      const payload = await this.#compressor.compress(segment.bytes, quality);
      const { startTsNs, startByteOffset, recordCount } = segment;
      const uncompressedLength = segment.bytes.length;
      const facts = { startTsNs, startByteOffset, uncompressedLength, recordCount, isLast };
      return encodeBlock(facts, payload);
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < PARALLEL_COMPRESSIONS) {
      this.#running++;
      return;
    }
    // Wait until `#leave` hands over a place; the number of running compressions stays the same.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}
