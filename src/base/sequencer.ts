/** Runs asynchronous tasks one at a time, in the order they were queued, even if one fails. */
export class Sequencer {
  #tail: Promise<unknown> = Promise.resolve();

  queue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task, task);
    // The caller receives the error.
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
