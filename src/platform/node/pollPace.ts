const FIRST_POLL_MS = 500;
const LAST_POLL_MS = 5000;
const POLL_GROWTH = 1.3;

/**
 * The interval between polls, which grows while nothing changes. Polls are needed because file
 * notifications may get lost.
 */
export class PollPace {
  #ms = FIRST_POLL_MS;

  get ms(): number {
    return this.#ms;
  }

  reset(): void {
    this.#ms = FIRST_POLL_MS;
  }

  /** @param hasChanged whether the last poll found a change */
  polled(hasChanged: boolean): void {
    this.#ms = hasChanged ? FIRST_POLL_MS : Math.min(LAST_POLL_MS, this.#ms * POLL_GROWTH);
  }
}
