import { lastAtOrBelow } from './sortedNumbers.ts';

const NANOSECONDS_PER_MILLISECOND = 1e6;

/** When each record of a recording happened and how much had been printed by then: 16 bytes per record. Only ever grows. */
export class RecordIndex {
  #times = new Float64Array(1024);
  #bytes = new Float64Array(1024);
  #length = 0;
  readonly startNs: bigint;

  /** @param startNs the time that counts as zero: that of the first record */
  constructor(startNs: bigint) {
    this.startNs = startNs;
  }

  get length(): number {
    return this.#length;
  }

  /** Of the last record; 0 when there is none. */
  get endMs(): number {
    return this.timeOf(this.#length - 1);
  }

  get totalBytes(): number {
    return this.byteAfter(this.#length - 1);
  }

  /** @param byteAfter output up to and including the record */
  append(tsNs: bigint, byteAfter: number): void {
    if (this.#length === this.#times.length) {
      this.#times = grown(this.#times);
      this.#bytes = grown(this.#bytes);
    }
    // A clock that was set back would turn the order around; a recording from elsewhere may have one.
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

  /** The last record that had happened at a time; -1 for none. */
  recordAtTime(timeMs: number): number {
    return lastAtOrBelow(this.#times, this.#length, timeMs);
  }

  /** The last record after which no more than so many bytes had been printed; -1 for none. */
  recordAtByte(byteOffset: number): number {
    return lastAtOrBelow(this.#bytes, this.#length, byteOffset);
  }

  /** Output in each of the spans between neighbouring edges, the earlier edge left out of a span and the later one part of it. */
  activity(edgesMs: readonly number[]): number[] {
    const counts: number[] = [];
    for (let index = 1; index < edgesMs.length; index++) {
      const before = this.byteAfter(this.recordAtTime(edgesMs[index - 1]!));
      counts.push(Math.max(0, this.byteAfter(this.recordAtTime(edgesMs[index]!)) - before));
    }
    return counts;
  }

  /** Spans of at least `minMs` in which nothing happened, from the record `from` on. */
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

/** A span of time in which the program printed nothing. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
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
