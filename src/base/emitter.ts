import { toDisposable, type Disposable } from './lifecycle.ts';

/** Subscribes to an event; disposing the result unsubscribes. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The source of an {@link Event}. Listeners run synchronously, in the order they were added. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ call: (value: T) => void }>();
  #disposed = false;

  readonly event: Event<T> = (listener) => {
    if (this.#disposed) return toDisposable(() => {});
    // Each subscription gets an object of its own, so that the same function may subscribe twice.
    const entry = { call: listener };
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  fire(value: T): void {
    if (this.#listeners.size === 1) {
      // Some events fire tens of thousands of times a second, so avoid copying the set for one
      // listener.
      for (const entry of this.#listeners) return entry.call(value);
    }
    for (const entry of [...this.#listeners]) {
      if (this.#listeners.has(entry)) entry.call(value);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#listeners.clear();
  }
}
