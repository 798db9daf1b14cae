import type { Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';

const ASK_MS = 3000;
/** How long to wait for an answer: even a busy extension host rarely takes longer. */
const ANSWER_MS = 5000;

export interface HostWatchOptions {
  readonly timers: Timers;
  /** Settles when the extension has answered; never settles if its process was killed. */
  readonly ask: () => Promise<unknown>;
  /** Called when the extension does not answer. */
  readonly onLost: () => void;
  /** Called when the extension answers again, because it was only slow. */
  readonly onBack: () => void;
}

/** Detects that the extension host was killed: VS Code does not tell the page. */
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
    // An error is an answer, too.
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
