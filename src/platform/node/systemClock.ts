import type { Clock, Timers } from '../../base/clock.ts';
import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import { toDisposable } from '../../base/lifecycle.ts';

/** A step of the wall clock beyond this (a suspend, a correction) is followed; below, the finer monotonic clock counts. */
const FOLLOW_AFTER_NS = 1_000_000_000n;

/**
 * Times are multiples of this, 65 µs: finer ones would be noise that nobody can see and no compressor can remove, at two
 * bytes for every record of a recording.
 */
export const GRAIN_NS = 1n << 16n;

/** The wall clock, finer than `Date`, and never going backwards. */
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

/** So close to each other are two looks with nothing in between. */
const AT_ONCE_NS = 100_000n;
const MOST_LOOKS = 10;

/**
 * What both clocks say at the same moment. A busy machine may take the processor away between two looks, and whoever compares
 * our times with those of others, as with an agent's, would find all of ours too early by that: it is looked again.
 */
function bothClocks(): { readonly wallNs: bigint; readonly monotonicNs: bigint } {
  const looks: { wallNs: bigint; monotonicNs: bigint; gapNs: bigint }[] = [];
  do {
    const monotonicNs = process.hrtime.bigint();
    const wall = wallNs();
    looks.push({ wallNs: wall, monotonicNs, gapNs: process.hrtime.bigint() - monotonicNs });
  } while (looks.at(-1)!.gapNs > AT_ONCE_NS && looks.length < MOST_LOOKS);
  return looks.reduce((best, look) => (look.gapNs < best.gapNs ? look : best));
}

function wallNs(): bigint {
  return BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND;
}
