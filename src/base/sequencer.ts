/** Runs asynchronous tasks one after another, in the order they were queued. A failed task does not stop the next. */
export class Sequencer {
  #tail: Promise<unknown> = Promise.resolve();

  queue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task, task);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
