import { setTimeout as sleep } from 'node:timers/promises';

/** The real length of pauses. The output never depends on it. */
export interface Pace {
  /** Scenario time so far in milliseconds: the sum of all pauses, at any speed. */
  readonly elapsedMs: number;
  /** @param durationMs of scenario time */
  pause(durationMs: number): Promise<void>;
}

/** @param speed times as fast as the scenario says; 0 leaves every pause out. */
export function paceAt(speed: number): Pace {
  let elapsedMs = 0;
  const startedMs = performance.now();
  let waitedMs = 0;
  return {
    get elapsedMs() {
      return elapsedMs;
    },
    async pause(durationMs) {
      elapsedMs += durationMs;
      if (speed === 0) return;
      waitedMs += durationMs / speed;
      // Aims at the total time, so that the delays of many short pauses don't add up.
      const aheadMs = startedMs + waitedMs - performance.now();
      if (aheadMs < -50) waitedMs -= aheadMs;
      if (aheadMs >= 1) await sleep(aheadMs);
    },
  };
}
