import { Signal } from '../../../base/signal.ts';

/** Lets readers run together, and a writer alone. */
export class ReadWriteLock {
  readonly #changes = new Signal();
  #readers = 0;
  #hasWriter = false;

  async read<T>(task: () => Promise<T>): Promise<T> {
    while (this.#hasWriter) await this.#changes.wait();
    this.#readers++;
    try {
      return await task();
    } finally {
      this.#readers--;
      this.#changes.notify();
    }
  }

  async write<T>(task: () => Promise<T>): Promise<T> {
    while (this.#hasWriter) await this.#changes.wait();
    // Set before the readers have finished, so that new ones can't starve the writer.
    this.#hasWriter = true;
    while (this.#readers > 0) await this.#changes.wait();
    try {
      return await task();
    } finally {
      this.#hasWriter = false;
      this.#changes.notify();
    }
  }
}
