import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';

/**
 * Passes the first item on at once and collects those that follow within a time window. Items as
 * fast as a person causes them are not delayed; items as fast as a program causes them are passed
 * on together, a few times per second.
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

  /** Passes on the collected items now. */
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
