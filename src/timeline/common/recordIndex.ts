import { lastAtOrBelow } from './sortedNumbers.ts';

const NANOSECONDS_PER_MILLISECOND = 1e6;

/** Time and byte offset of each record, in 16 bytes per record. Append-only. */
export class RecordIndex {
  #times = new Float64Array(1024);
  #bytes = new Float64Array(1024);
  /** Indexes below this are in range of both arrays, hence the `!` after array accesses. */
  #length = 0;
  readonly startNs: bigint;

  /** @param startNs time of the first record, which counts as zero */
  constructor(startNs: bigint) {
    this.startNs = startNs;
  }

  get length(): number {
    return this.#length;
  }

  /** Time of the last record; 0 without records. */
  get endMs(): number {
    return this.timeOf(this.#length - 1);
  }

  get totalBytes(): number {
    return this.byteAfter(this.#length - 1);
  }

  /** @param byteAfter bytes of output up to and including the record */
  append(tsNs: bigint, byteAfter: number): void {
    if (this.#length === this.#times.length) {
      this.#times = grown(this.#times);
      this.#bytes = grown(this.#bytes);
    }
    // Times must ascend, even if the recording computer's clock was set back.
    this.#times[this.#length] = Math.max(this.endMs, millisecondsSince(this.startNs, tsNs));
    this.#bytes[this.#length] = Math.max(this.totalBytes, byteAfter);
    this.#length++;
  }

  /** Milliseconds since the start; 0 before the first record. */
  timeOf(record: number): number {
    return record < 0 ? 0 : this.#times[Math.min(record, this.#length - 1)]!;
  }

  byteAfter(record: number): number {
    return record < 0 ? 0 : this.#bytes[Math.min(record, this.#length - 1)]!;
  }

  /** The last record at or before a time; -1 for none. */
  recordAtTime(timeMs: number): number {
    return lastAtOrBelow(this.#times, this.#length, timeMs);
  }

  /** The last record that ends at or before a byte offset; -1 for none. */
  recordAtByte(byteOffset: number): number {
    return lastAtOrBelow(this.#bytes, this.#length, byteOffset);
  }

  /**
   * Bytes of output between neighbouring edges: after the earlier edge, up to and including the
   * later one.
   */
  activity(edgesMs: readonly number[]): number[] {
    const counts: number[] = [];
    let before: number | undefined;
    for (const edgeMs of edgesMs) {
      const byte = this.byteAfter(this.recordAtTime(edgeMs));
      if (before !== undefined) counts.push(Math.max(0, byte - before));
      before = byte;
    }
    return counts;
  }

  /** Spans of at least `minMs` without records, from the record `from` on. */
  gaps(minMs: number, from = 1): Gap[] {
    const gaps: Gap[] = [];
    for (let record = Math.max(1, from); record < this.#length; record++) {
      const fromMs = this.#times[record - 1]!;
      const toMs = this.#times[record]!;
      if (toMs - fromMs >= minMs) gaps.push({ fromMs, toMs });
    }
    return gaps;
  }
}

/** A span of time without output. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the recording was paused; otherwise the session was idle. */
  readonly isPause?: true;
}

export function millisecondsSince(startNs: bigint, tsNs: bigint): number {
  return Number(tsNs - startNs) / NANOSECONDS_PER_MILLISECOND;
}

export function nanosecondsAt(startNs: bigint, timeMs: number): bigint {
  return startNs + BigInt(Math.round(timeMs * NANOSECONDS_PER_MILLISECOND));
}

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}
