import { setTimeout as sleep } from 'node:timers/promises';
import { Signal } from '../../base/signal.ts';

/** Whoever drags the scrubber asks again at once: so long the background stays out of the way. */
const QUIET_MS = 40;

/** Somebody waits for these tasks: work in the background stands aside while one is under way, and for a moment after. */
export class Foreground {
  readonly #changes = new Signal();
  #running = 0;
  #endedAt = -Infinity;

  /** Somebody waits, or may be about to. */
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
