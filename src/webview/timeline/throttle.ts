/** Runs a task soon, at most once per interval. */
export class Throttle {
  readonly #intervalMs: number;
  readonly #task: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ranAt = -Infinity;

  /** @param intervalMs shortest time between two runs; 0 for once per frame */
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
