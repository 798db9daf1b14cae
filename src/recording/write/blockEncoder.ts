import { encodeBlock } from '../format/format.ts';
import type { Compressor } from '../format/ports.ts';
import type { Segment } from './segmentBuilder.ts';

/** Blocks are independent: two at a time use two cores and leave the rest of the thread pool to others. */
const PARALLEL_COMPRESSIONS = 2;
/** Several times faster than quality 4, so that a flood is kept up with, and leaves the processor to what prints it. */
const FLOOD_QUALITY = 1;

/** Turns segments into blocks, first come first served. */
export class BlockEncoder {
  readonly #compressor: Compressor;
  readonly #quality: number;
  readonly #waiting: (() => void)[] = [];
  readonly #floodBytes: number;
  #running = 0;

  /** @param floodBytes a segment of this length was full before its time, which is what a flood of output looks like */
  constructor(compressor: Compressor, quality: number, floodBytes: number) {
    this.#compressor = compressor;
    this.#quality = quality;
    this.#floodBytes = floodBytes;
  }

  /** Begins at once, whenever the result is asked for; asking again after a failure begins again. */
  begin(segment: Segment, isLast: boolean): () => Promise<Uint8Array> {
    let encoding: Promise<Uint8Array> | undefined;
    const result = (): Promise<Uint8Array> => {
      if (!encoding) {
        encoding = this.#encode(segment, isLast);
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
    // Whoever leaves hands over its place: `running` stays as it is.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}
