import type { Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';

const ASK_MS = 3000;
/** A busy extension host answers later than a page would like, but rarely later than this. */
const ANSWER_MS = 5000;

export interface HostWatchOptions {
  readonly timers: Timers;
  /** Settles when the extension has answered; never, if its process was killed. */
  readonly ask: () => Promise<unknown>;
  /** The extension does not answer. */
  readonly onLost: () => void;
  /** The extension was only slow: it answers again. */
  readonly onBack: () => void;
}

/** Notices that the extension host was killed: VS Code sends a page no event then. */
export class HostWatch {
  readonly #options: HostWatchOptions;
  #timer: Disposable | undefined;
  #isLost = false;

  constructor(options: HostWatchOptions) {
    this.#options = options;
    this.#ask();
  }

  #ask(): void {
    const { ask } = this.#options;
    this.#schedule(ANSWER_MS, () => this.#lost());
    // A refusal is an answer too.
    ask().then(
      () => this.#answered(),
      () => this.#answered(),
    );
  }

  #answered(): void {
    this.#schedule(ASK_MS, () => this.#ask());
    if (this.#isLost) this.#options.onBack();
    this.#isLost = false;
  }

  #lost(): void {
    this.#isLost = true;
    this.#options.onLost();
  }

  #schedule(delayMs: number, callback: () => void): void {
    this.#timer?.dispose();
    this.#timer = this.#options.timers.schedule(delayMs, callback);
  }
}
