import type { Clock } from '../base/clock.ts';
import { NANOSECONDS_PER_MILLISECOND } from '../base/clock.ts';
import { toDisposable } from '../base/lifecycle.ts';

/** A step of the wall clock beyond this (a suspend, a correction) is followed; below, the finer monotonic clock counts. */
const FOLLOW_AFTER_NS = 1_000_000_000n;

/**
 * Times are multiples of this, 65 µs: finer ones would be noise that nobody can see and no compressor can remove, at two
 * bytes for every record of a recording.
 */
export const GRAIN_NS = 1n << 16n;

/** The wall clock, finer than `Date`, and never going backwards. */
export class SystemClock implements Clock {
  #wallAnchorNs = wallNs();
  #monotonicAnchorNs = process.hrtime.bigint();
  #lastNs = 0n;

  nowNs(): bigint {
    const monotonicNs = process.hrtime.bigint();
    let now = this.#wallAnchorNs + (monotonicNs - this.#monotonicAnchorNs);
    const wall = wallNs();
    if (wall - now > FOLLOW_AFTER_NS || now - wall > FOLLOW_AFTER_NS) {
      this.#wallAnchorNs = wall;
      this.#monotonicAnchorNs = monotonicNs;
      now = wall;
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

function wallNs(): bigint {
  return BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND;
}
