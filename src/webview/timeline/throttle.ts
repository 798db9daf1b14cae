/** Runs a task soon, and however often it is asked for no more than once in a while. */
export class Throttle {
  readonly #intervalMs: number;
  readonly #task: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ranAt = -Infinity;

  /** @param intervalMs between two runs; 0 for once in each frame of the screen */
  constructor(intervalMs: number, task: () => void) {
    this.#intervalMs = intervalMs;
    this.#task = task;
  }

  call(): void {
    if (this.#timer !== undefined) return;
    const waitMs = this.#intervalMs === 0 ? 16 : this.#ranAt + this.#intervalMs - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#ranAt = performance.now();
        this.#task();
      },
      Math.max(0, waitMs),
    );
  }
}
