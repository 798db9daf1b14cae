import { ByteWriter } from '../../base/bytes.ts';
import type { AhrRecord } from '../format/records.ts';
import { encodeRecord } from '../format/segment.ts';

/** Encoded records for one block. */
export interface Segment {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly recordCount: number;
  readonly startTsNs: bigint;
  readonly startByteOffset: number;
}

/** Encodes records into a segment. Reuses its buffer, so that adding allocates almost nothing. */
export class SegmentBuilder {
  readonly #bytes = new ByteWriter(16 * 1024);
  #recordCount = 0;
  #startTsNs = 0n;
  #startByteOffset = 0;

  get length(): number {
    return this.#bytes.length;
  }

  get recordCount(): number {
    return this.#recordCount;
  }

  /** @param byteOffset bytes of output before the record */
  add(record: AhrRecord, byteOffset: number): void {
    if (this.#recordCount === 0) {
      this.#startTsNs = record.tsNs;
      this.#startByteOffset = byteOffset;
    }
    encodeRecord(this.#bytes, record);
    this.#recordCount++;
  }

  /** Returns the segment and starts a new one. */
  take(): Segment {
    const segment = {
      bytes: this.#bytes.toBytes(),
      recordCount: this.#recordCount,
      startTsNs: this.#startTsNs,
      startByteOffset: this.#startByteOffset,
    };
    this.#bytes.clear();
    this.#recordCount = 0;
    return segment;
  }
}
