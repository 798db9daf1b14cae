import { Signal } from '../../../base/signal.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { AhrRecord } from '../../../recording/format/records.ts';
import { yieldEvery } from '../../../platform/shared/yieldEvery.ts';
import type { Foreground } from './foreground.ts';
import type { ReadWriteLock } from './readWriteLock.ts';
import type { TimelineRecording } from '../timelineRecording.ts';

/** Longest time to play records before a seek can run. */
const WORK_MS = 8;
/** How many records are played under one read lock; a writer has to wait for at most these. */
const RECORDS_AT_ONCE = 500;

/** Plays a recording once in the background, and continues as it grows. */
export abstract class RecordPass implements Disposable {
  readonly #recording: TimelineRecording;
  readonly #lock: ReadWriteLock;
  readonly #foreground: Foreground;
  readonly #progress = new Signal();
  #next: number;
  #isRunning = false;
  #isDisposed = false;

  /** @param from the first record to play */
  constructor(
    recording: TimelineRecording,
    lock: ReadWriteLock,
    foreground: Foreground,
    { from = 0 } = {},
  ) {
    this.#next = from;
    this.#recording = recording;
    this.#lock = lock;
    this.#foreground = foreground;
  }

  /** The part of the recording that was played, from 0 to 1. */
  get progress(): number {
    const { recordCount } = this.#recording.reader;
    return recordCount === 0 ? 1 : Math.min(1, this.#next / recordCount);
  }

  /** Whether all indexed records were played. */
  get isCurrent(): boolean {
    return this.#next >= this.#recording.index.length;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Resolves when more was played, or playing stopped. */
  moved(): Promise<void> {
    return this.#progress.wait();
  }

  /** Starts, or continues after the recording has grown. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.isCurrent && !this.#isDisposed) {
        await this.#foreground.whenIdle();
        await this.#lock.read(() => this.#playSome());
        this.#progress.notify();
      }
    } finally {
      this.#isRunning = false;
      this.#progress.notify();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#progress.notify();
  }

  protected abstract play(record: AhrRecord, recordIndex: number): void;

  async #playSome(): Promise<void> {
    const pause = yieldEvery(WORK_MS);
    const last = this.#next + RECORDS_AT_ONCE;
    for await (const record of this.#recording.source.records({ from: this.#next })) {
      if (this.#isDisposed || this.isCurrent || this.#next >= last) return;
      this.play(record, this.#next++);
      const breath = pause();
      if (!breath) continue;
      await breath;
      // Return instead of waiting: a request may need the lock, which a waiting writer gets only
      // after this reader.
      if (this.#foreground.isBusy) return;
    }
  }
}
