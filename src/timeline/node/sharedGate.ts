import { Signal } from '../../base/signal.ts';

/** Lets many read while nothing changes under them: a task that changes things waits for the readers, and they for it. */
export class SharedGate {
  readonly #changes = new Signal();
  #readers = 0;
  #isTaken = false;

  async shared<T>(task: () => Promise<T>): Promise<T> {
    while (this.#isTaken) await this.#changes.wait();
    this.#readers++;
    try {
      return await task();
    } finally {
      this.#readers--;
      this.#changes.notify();
    }
  }

  async exclusive<T>(task: () => Promise<T>): Promise<T> {
    while (this.#isTaken) await this.#changes.wait();
    // Taken before the readers are gone, so that new ones cannot keep it waiting for ever.
    this.#isTaken = true;
    while (this.#readers > 0) await this.#changes.wait();
    try {
      return await task();
    } finally {
      this.#isTaken = false;
      this.#changes.notify();
    }
  }
}
