import type { Clock } from '../../src/base/clock.ts';
import { NANOSECONDS_PER_MILLISECOND } from '../../src/base/clock.ts';
import { toDisposable, type Disposable } from '../../src/base/lifecycle.ts';
import { until } from './ah.ts';

/** A clock that tests move. */
export class FakeClock implements Clock {
  readonly #timers = new Set<{ dueMs: number; callback: () => void }>();
  #nowMs: number;

  constructor(startMs = 1_760_000_000_000) {
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Number of pending timers. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Time of the next timer; infinite without one. */
  get nextDueMs(): number {
    return Math.min(...[...this.#timers].map(({ dueMs }) => dueMs));
  }

  nowNs(): bigint {
    return BigInt(Math.floor(this.#nowMs)) * NANOSECONDS_PER_MILLISECOND;
  }

  schedule(delayMs: number, callback: () => void): Disposable {
    const timer = { dueMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** Moves time on, runs each timer at its time, and waits for the promises that follow. */
  async advance(durationMs: number): Promise<void> {
    // Earlier work must set its timers before time moves.
    await settle();
    const endMs = this.#nowMs + durationMs;
    for (let timer = this.#nextUntil(endMs); timer; timer = this.#nextUntil(endMs)) {
      this.#timers.delete(timer);
      this.#nowMs = timer.dueMs;
      timer.callback();
      await settle();
    }
    this.#nowMs = endMs;
    await settle();
  }

  /** Moves on from timer to timer until the work of files, processes and threads is done, which takes real time. */
  async advanceUntil(condition: () => boolean, what: string): Promise<void> {
    const isDone = async () => {
      if (!condition() && this.#timers.size > 0) {
        await this.advance(Math.max(0, this.nextDueMs - this.#nowMs));
      }
      return condition();
    };
    await until(isDone, what);
  }

  #nextUntil(endMs: number): { dueMs: number; callback: () => void } | undefined {
    return [...this.#timers]
      .filter(({ dueMs }) => dueMs <= endMs)
      .sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}

/** Returns when all promises that don't wait for I/O have settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
