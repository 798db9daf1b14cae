/**
 * Lets asynchronous loops wait until something may have changed. `notify` wakes all loops that are
 * waiting.
 */
export class Signal {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  wait(): Promise<void> {
    this.#promise ??= new Promise((resolve) => (this.#resolve = resolve));
    return this.#promise;
  }

  notify(): void {
    this.#resolve?.();
    this.#promise = undefined;
    this.#resolve = undefined;
  }
}
