import type { Disposable } from './lifecycle.ts';

/** Time as a port: the core never reads a clock or starts a timer by itself. */
export interface Clock {
  /** Wall clock in nanoseconds since the epoch; never goes backwards within a process. */
  nowNs(): bigint;
  /** Runs `callback` once after `delayMs`; disposing cancels it. */
  schedule(delayMs: number, callback: () => void): Disposable;
}

/** A clock that only wakes: for code that does not ask for the time. */
export type Timers = Pick<Clock, 'schedule'>;

export const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
