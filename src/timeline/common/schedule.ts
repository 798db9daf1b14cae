import type { Gap } from './recordIndex.ts';
import { lastAtOrBelow } from './sortedNumbers.ts';

/**
 * Two ways to count the time of a session: as it was recorded, and folded, where each gap takes no longer than `foldedGapMs`.
 * Both begin at 0 and only go forward; within a gap folded time runs evenly, so that a place in a gap is a place too.
 */
export class Schedule {
  readonly #recorded: number[] = [0];
  readonly #folded: number[] = [0];
  readonly endMs: number;
  readonly foldedEndMs: number;

  /** @param gaps in order, none overlapping another */
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

  /** Time as it is, with nothing folded. */
  static plain(endMs: number): Schedule {
    return new Schedule([], 0, endMs);
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

/** Beyond the last known point time runs on as it is. */
function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  if (value <= 0) return 0;
  const last = from.length - 1;
  if (value >= from[last]!) return to[last]! + value - from[last]!;
  const index = lastAtOrBelow(from, from.length, value);
  const span = from[index + 1]! - from[index]!;
  return to[index]! + ((value - from[index]!) / span) * (to[index + 1]! - to[index]!);
}
