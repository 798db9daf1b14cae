import type { Disposable } from './lifecycle.ts';

/** A port: code that runs anywhere never reads a clock or starts a timer itself. */
export interface Clock {
  /** Wall clock in nanoseconds since the epoch; never goes backwards within a process. */
  nowNs(): bigint;
  /** Runs `callback` once after `delayMs`; disposing cancels it. */
  schedule(delayMs: number, callback: () => void): Disposable;
}

/** For code that schedules callbacks but does not need the time. */
export type Timers = Pick<Clock, 'schedule'>;

export const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
