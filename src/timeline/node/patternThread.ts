import { Worker } from 'node:worker_threads';
import type { Timers } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Matcher, SearchQuery, TextMatch } from '../common/searchQuery.ts';

/** An expression that is fit for use takes a few milliseconds for a text of 64 KB; one that is not, years. */
const LIMIT_MS = 3000;

interface Asked {
  resolve(matches: readonly TextMatch[]): void;
  reject(error: Error): void;
}

/** Looks for a regular expression of a person's own on a thread that can be ended: some never come to an end by themselves. */
export class PatternThread implements Matcher, Disposable {
  readonly #worker: Worker;
  readonly #timers: Timers;
  readonly #isReady: Promise<unknown>;
  #asked: Asked | undefined;

  constructor(workerFile: string, query: SearchQuery, timers: Timers) {
    const { text, isRegex, isCaseSensitive } = query;
    this.#worker = new Worker(workerFile, { workerData: { text, isRegex, isCaseSensitive } });
    this.#timers = timers;
    // Its first word is that it is ready. The listeners stay: a thread whose last one is taken away is not heard any more.
    this.#isReady = new Promise((resolve, reject) => (this.#asked = { resolve, reject }));
    this.#isReady.catch(() => {}); // Whoever looks for something hears of it.
    this.#worker.on('message', (matches: readonly TextMatch[]) => this.#asked?.resolve(matches));
    this.#worker.on('error', (error: Error) => this.#asked?.reject(error));
    this.#worker.on('exit', () => this.#asked?.reject(new Error('The search was ended.')));
  }

  /** One at a time. Rejects with a {@link UserError} when it takes too long; then this one is of no use any more. */
  async matches(text: string): Promise<readonly TextMatch[]> {
    let timer: Disposable | undefined;
    try {
      await this.#isReady;
      return await new Promise<readonly TextMatch[]>((resolve, reject) => {
        this.#asked = { resolve, reject };
        timer = this.#timers.schedule(LIMIT_MS, () =>
          reject(new UserError('slow-pattern', 'This expression takes too long.')),
        );
        this.#worker.postMessage(text);
      });
    } catch (error) {
      this.dispose();
      throw error;
    } finally {
      timer?.dispose();
    }
  }

  dispose(): void {
    void this.#worker.terminate();
  }
}
