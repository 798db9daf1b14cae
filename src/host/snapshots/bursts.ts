import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';

/**
 * Lets the first of many through at once, and those that come soon after it together when that time is over: what comes at the
 * pace of a person is never held up, and what comes at the pace of a program costs no more than a few times a second.
 */
export class Bursts<T> implements Disposable {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #pass: (together: readonly T[]) => void;
  #held: T[] = [];
  #window: Disposable | undefined;

  constructor(clock: Clock, windowMs: number, pass: (together: readonly T[]) => void) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#pass = pass;
  }

  push(item: T): void {
    this.#held.push(item);
    if (!this.#window) this.flush();
  }

  /** Whatever is held goes now. */
  flush(): void {
    this.#window?.dispose();
    this.#window = undefined;
    if (this.#held.length === 0) return;
    const together = this.#held;
    this.#held = [];
    this.#window = this.#clock.schedule(this.#windowMs, () => this.flush());
    this.#pass(together);
  }

  dispose(): void {
    this.#window?.dispose();
    this.#held = [];
  }
}
