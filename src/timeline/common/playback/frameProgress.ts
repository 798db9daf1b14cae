import type { AhrRecord } from '../../../recording/format/records.ts';
import type { FrameTarget, RecordSource } from '../../../terminal/keyframes/frames.ts';
import type { Place } from './playback.ts';
import { millisecondsSince } from '../recordIndex.ts';

/**
 * Passes on the records that are played to compute a frame, and keeps the position of the last one.
 */
export class FrameProgress implements RecordSource {
  readonly #source: RecordSource;
  readonly #target: FrameTarget;
  readonly #startNs: bigint;
  #recordIndex = -1;
  #timeMs = 0;

  constructor(source: RecordSource, target: FrameTarget, startNs: bigint) {
    this.#source = source;
    this.#target = target;
    this.#startNs = startNs;
  }

  async *records(
    range: Parameters<RecordSource['records']>[0],
  ): AsyncGenerator<AhrRecord, void, void> {
    let index = range.from ?? 0;
    // If a keyframe does not fit, the records are read again from the start.
    this.#recordIndex = index - 1;
    this.#timeMs = 0;
    for await (const record of this.#source.records(range)) {
      const isBeyond = this.#isBeyond(record, index);
      if (!isBeyond) this.#recordIndex = index;
      if (!isBeyond || this.#isWithin(record)) {
        this.#timeMs = Math.max(0, millisecondsSince(this.#startNs, record.tsNs));
      }
      yield record;
      index++;
    }
  }

  /**
   * @param byteOffset byte offset that the terminal has reached; inside the next record if the
   * target is inside that record
   */
  place(byteOffset: number): Place {
    return { timeMs: this.#timeMs, byteOffset, recordIndex: this.#recordIndex };
  }

  #isBeyond(record: AhrRecord, index: number): boolean {
    if ('recordIndex' in this.#target) return index > this.#target.recordIndex;
    if ('tsNs' in this.#target) return record.tsNs > this.#target.tsNs;
    if (record.kind !== 'data') return false;
    return record.startByteOffset + record.bytes.length > this.#target.byteOffset;
  }

  /** Whether the target lies inside the record; if so, the record's time counts. */
  #isWithin(record: AhrRecord): boolean {
    if (!('byteOffset' in this.#target) || record.kind !== 'data') return false;
    return record.startByteOffset < this.#target.byteOffset;
  }
}
