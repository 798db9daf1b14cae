import type { Clock, Timers } from '../../base/clock.ts';
import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import { toDisposable } from '../../base/lifecycle.ts';

/**
 * If the wall clock jumps by more than this (suspend, correction), times follow it; otherwise the
 * monotonic clock counts.
 */
const FOLLOW_AFTER_NS = 1_000_000_000n;

/**
 * Times are multiples of 65 µs: a finer resolution is noise that takes two bytes per record,
 * because it can't be compressed.
 */
export const GRAIN_NS = 1n << 16n;

/** The wall clock with a finer resolution than `Date`; never goes backwards. */
export class SystemClock implements Clock {
  #anchor = bothClocks();
  #lastNs = 0n;

  nowNs(): bigint {
    let now = this.#anchor.wallNs + (process.hrtime.bigint() - this.#anchor.monotonicNs);
    const wall = wallNs();
    if (wall - now > FOLLOW_AFTER_NS || now - wall > FOLLOW_AFTER_NS) {
      this.#anchor = bothClocks();
      now = this.#anchor.wallNs;
    }
    now -= now % GRAIN_NS;
    if (now > this.#lastNs) this.#lastNs = now;
    return this.#lastNs;
  }

  schedule(delayMs: number, callback: () => void) {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => clearTimeout(timer));
  }
}

/** Timers that do not keep the process running. */
export const backgroundTimers: Timers = {
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return toDisposable(() => clearTimeout(timer));
  },
};

/** A longer gap between two readings means that another thread ran in between. */
const MAX_GAP_NS = 100_000n;
const MAX_READINGS = 10;

/**
 * Reads both clocks at the same moment. If another thread ran between the two readings, all our
 * times would be too early compared with those of an agent, so the clocks are read again.
 */
function bothClocks(): { readonly wallNs: bigint; readonly monotonicNs: bigint } {
  let best = readBothClocks();
  for (let count = 1; best.gapNs > MAX_GAP_NS && count < MAX_READINGS; count++) {
    const next = readBothClocks();
    if (next.gapNs < best.gapNs) best = next;
  }
  return best;
}

function readBothClocks() {
  const monotonicNs = process.hrtime.bigint();
  const wall = wallNs();
  return { wallNs: wall, monotonicNs, gapNs: process.hrtime.bigint() - monotonicNs };
}

/** The wall clock with the precision of `Date`, for times of files. */
export function wallNs(): bigint {
  return BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND;
}
