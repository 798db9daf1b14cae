import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Matcher, SearchQuery, TextMatch } from '../../replay/searchQuery.ts';

/** An expression that is fit for use takes a few milliseconds for a text of 64 KB; one that is not, years. */
const LIMIT_MS = 3000;

/** Looks for a regular expression of a person's own on a thread that can be ended: some never come to an end by themselves. */
export class PatternThread implements Matcher, Disposable {
  readonly #worker: Worker;
  readonly #limitMs: number;
  readonly #isReady: Promise<unknown>;

  constructor(workerFile: string, query: SearchQuery, limitMs = LIMIT_MS) {
    const { text, isRegex, isCaseSensitive } = query;
    this.#worker = new Worker(workerFile, { workerData: { text, isRegex, isCaseSensitive } });
    this.#limitMs = limitMs;
    this.#isReady = once(this.#worker, 'message');
    this.#isReady.catch(() => {}); // Whoever looks for something hears of it.
  }

  /** One at a time. Rejects with a {@link UserError} when it takes too long; then this one is of no use any more. */
  async matches(text: string): Promise<readonly TextMatch[]> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.#isReady;
      return await new Promise<readonly TextMatch[]>((resolve, reject) => {
        this.#worker.once('message', resolve);
        this.#worker.once('error', reject);
        this.#worker.once('exit', () => reject(new Error('The search was ended.')));
        timer = setTimeout(
          () => reject(new UserError('slow-pattern', 'This expression takes too long.')),
          this.#limitMs,
        );
        this.#worker.postMessage(text);
      });
    } catch (error) {
      this.dispose();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#worker.removeAllListeners();
    }
  }

  dispose(): void {
    void this.#worker.terminate();
  }
}
