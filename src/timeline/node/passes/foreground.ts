import { setTimeout as sleep } from 'node:timers/promises';
import { Signal } from '../../../base/signal.ts';

/**
 * Background work waits this long after a request: while the user drags, another request follows.
 */
const QUIET_MS = 40;

/** Runs tasks that the user waits for; background work pauses meanwhile. */
export class Foreground {
  readonly #changes = new Signal();
  #running = 0;
  #endedAt = -Infinity;

  /** Whether a task runs, or has just ended. */
  get isBusy(): boolean {
    return this.#running > 0 || this.#endedAt + QUIET_MS > performance.now();
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await task();
    } finally {
      this.#running--;
      this.#endedAt = performance.now();
      this.#changes.notify();
    }
  }

  async whenIdle(): Promise<void> {
    for (;;) {
      while (this.#running > 0) await this.#changes.wait();
      const waitMs = this.#endedAt + QUIET_MS - performance.now();
      if (waitMs <= 0) return;
      await sleep(waitMs);
    }
  }
}
