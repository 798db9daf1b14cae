import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { MutableDisposable, type Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { ByteSink } from '../format/ports.ts';

/**
 * Time from a write to the sync. A power cut may lose the output of this time and the open block. A
 * killed process loses nothing even without a sync, and a hundred recorders that sync five times a
 * second would keep a disk busy.
 */
const BACKGROUND_SYNC_DELAY_MS = 1000;

export interface Trouble {
  /** A sentence for the user. */
  readonly message: string;
}

/**
 * Repeats failed writes until they work or until {@link RetryingSink.abandon}. Removes incomplete
 * writes, and reports trouble once.
 */
export class RetryingSink implements Disposable {
  readonly #sink: ByteSink;
  readonly #clock: Clock;
  readonly #retryDelayMs: number;
  readonly #syncs = new Sequencer();
  readonly #backgroundSync = new MutableDisposable<Disposable>();
  readonly #failing = new Set<'write' | 'sync'>();
  readonly #giveUps = new Set<() => void>();
  readonly #didChangeTrouble = new Emitter<Trouble | undefined>();
  #queuedSync: Promise<void> | undefined;
  #goodLength = 0;
  #mayHaveTail = false;
  #isAbandoned = false;

  /** Fires with the first failure, and with `undefined` when everything works again. */
  readonly onDidChangeTrouble = this.#didChangeTrouble.event;

  constructor(sink: ByteSink, clock: Clock, retryDelayMs: number) {
    this.#sink = sink;
    this.#clock = clock;
    this.#retryDelayMs = retryDelayMs;
  }

  /** Length of all complete writes. */
  get goodLength(): number {
    return this.#goodLength;
  }

  /**
   * Appends the bytes that `produce` returns. Wait for the result before the next call.
   * @param produce called for each attempt
   */
  async append(produce: () => Promise<Uint8Array>): Promise<void> {
    await this.#untilItWorks('write', async () => {
      const bytes = await produce();
      if (this.#mayHaveTail) await this.#cutTail();
      this.#mayHaveTail = true;
      try {
        await this.#sink.append(bytes);
      } catch (error) {
        // Remove the incomplete write now, so that readers see complete blocks while we wait. If
        // that fails, the next attempt begins with it.
        await this.#cutTail().catch(() => undefined);
        throw error;
      }
      this.#mayHaveTail = false;
      this.#goodLength += bytes.length;
    });
    this.#backgroundSync.value ??= this.#clock.schedule(BACKGROUND_SYNC_DELAY_MS, () => {
      // This fails only after `abandon`.
      this.sync().catch(() => undefined);
    });
  }

  /** Returns when everything appended before the call is on the disk. */
  sync(): Promise<void> {
    this.#backgroundSync.clear();
    // A running sync may have started before the caller's bytes were written: queue another one.
    this.#queuedSync ??= this.#syncs.queue(() => {
      this.#queuedSync = undefined;
      return this.#untilItWorks('sync', () => this.#sink.sync());
    });
    return this.#queuedSync;
  }

  /** Makes pending and later calls fail, even if the sink hangs. Keeps written bytes. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#backgroundSync.dispose();
    for (const giveUp of [...this.#giveUps]) giveUp();
  }

  dispose(): void {
    this.abandon();
    this.#didChangeTrouble.dispose();
  }

  async #cutTail(): Promise<void> {
    await this.#sink.truncate(this.#goodLength);
    this.#mayHaveTail = false;
  }

  async #untilItWorks(what: 'write' | 'sync', attempt: () => Promise<void>): Promise<void> {
    for (;;) {
      if (this.#isAbandoned) throw abandonedError();
      try {
        await this.#unlessAbandoned(attempt());
        this.#setFailing(what, undefined);
        return;
      } catch (error) {
        if (this.#isAbandoned) throw error;
        this.#setFailing(what, messageOf(error));
        await this.#pause();
      }
    }
  }

  #unlessAbandoned(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(abandonedError());
      this.#giveUps.add(giveUp);
      work.then(resolve, reject).finally(() => this.#giveUps.delete(giveUp));
    });
  }

  async #pause(): Promise<void> {
    const timer = new MutableDisposable<Disposable>();
    const elapsed = new Promise<void>((resolve) => {
      timer.value = this.#clock.schedule(this.#retryDelayMs, resolve);
    });
    try {
      await this.#unlessAbandoned(elapsed);
    } finally {
      timer.dispose();
    }
  }

  #setFailing(what: 'write' | 'sync', reason: string | undefined): void {
    const wasFailing = this.#failing.size > 0;
    if (reason === undefined) this.#failing.delete(what);
    else this.#failing.add(what);
    if (this.#failing.size > 0 === wasFailing) return;
    const trouble = { message: `The recording cannot be saved: ${reason}` };
    this.#didChangeTrouble.fire(reason === undefined ? undefined : trouble);
  }
}

export function abandonedError(): UserError {
  return new UserError('recording-abandoned', 'The recorder gave up saving the recording.');
}
