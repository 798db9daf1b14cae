import type { Gap } from '../recordIndex.ts';
import { lastAtOrBelow } from '../sortedNumbers.ts';

/**
 * Converts between recorded time and folded time, in which each idle gap lasts at most
 * `foldedGapMs`. Both start at 0; folded time advances evenly within a gap.
 */
export class TimeAxis {
  readonly #recorded: number[] = [0];
  readonly #folded: number[] = [0];
  readonly endMs: number;
  readonly foldedEndMs: number;

  /** @param gaps in order, without overlaps */
  constructor(gaps: readonly Gap[], foldedGapMs: number, endMs: number) {
    let saved = 0;
    for (const { fromMs, toMs } of gaps) {
      if (toMs > endMs || toMs - fromMs <= foldedGapMs) continue;
      this.#add(fromMs, fromMs - saved);
      saved += toMs - fromMs - foldedGapMs;
      this.#add(toMs, toMs - saved);
    }
    this.endMs = endMs;
    this.foldedEndMs = endMs - saved;
    this.#add(endMs, this.foldedEndMs);
  }

  /** An axis without folded gaps. */
  static plain(endMs: number): TimeAxis {
    return new TimeAxis([], 0, endMs);
  }

  toFolded(recordedMs: number): number {
    return interpolate(this.#recorded, this.#folded, recordedMs);
  }

  toRecorded(foldedMs: number): number {
    return interpolate(this.#folded, this.#recorded, foldedMs);
  }

  #add(recordedMs: number, foldedMs: number): void {
    this.#recorded.push(recordedMs);
    this.#folded.push(foldedMs);
  }
}

/** Interpolates between known points; after the last one, time advances unchanged. */
function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  if (value <= 0) return 0;
  // The `!`s: both arrays have the same length and start with 0, so every index below is in range.
  const last = from.length - 1;
  if (value >= from[last]!) return to[last]! + value - from[last]!;
  const index = lastAtOrBelow(from, from.length, value);
  const span = from[index + 1]! - from[index]!;
  return to[index]! + ((value - from[index]!) / span) * (to[index + 1]! - to[index]!);
}
