import { Worker } from 'node:worker_threads';
import type { Timers } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ThreadTransport } from '../../platform/node/transports/threadTransport.ts';
import { Channel, type RequesterProtocol } from '../../rpc/channel.ts';
import type { Matcher, SearchQuery, TextMatch } from '../common/search/searchQuery.ts';
import type { PatternThreadProtocol } from './patternProtocol.ts';

/** A usable expression takes milliseconds for 64 KB of text; a backtracking one takes years. */
const LIMIT_MS = 3000;

/** Matches a user's regular expression on a thread that can be ended, because some never finish. */
export class PatternThread implements Matcher, Disposable {
  readonly #transport: ThreadTransport;
  readonly #channel: Channel<RequesterProtocol, PatternThreadProtocol>;
  readonly #timers: Timers;
  readonly #started: Promise<unknown>;

  constructor(workerFile: string, query: SearchQuery, timers: Timers) {
    const { text, isRegex, isCaseSensitive } = query;
    const worker = new Worker(workerFile, { workerData: { text, isRegex, isCaseSensitive } });
    this.#transport = new ThreadTransport(worker);
    this.#channel = new Channel(this.#transport, {}, {});
    this.#timers = timers;
    // The time limit excludes the start: a thread may start slowly, whatever the expression is.
    this.#started = this.#channel.request('start', null);
    this.#started.catch(() => {}); // `matches` reports the error.
  }

  /** Rejects with a {@link UserError} if matching takes too long. Any failure ends the thread. */
  async matches(text: string): Promise<readonly TextMatch[]> {
    let timer: Disposable | undefined;
    try {
      await this.#started;
      timer = this.#timers.schedule(LIMIT_MS, () =>
        this.#transport.close(new UserError('slow-pattern', 'This expression takes too long.')),
      );
      return (await this.#channel.request('match', text)).body;
    } catch (error) {
      this.dispose();
      throw error;
    } finally {
      timer?.dispose();
    }
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
