import { Signal } from '../../base/signal.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { yieldEvery } from '../../platform/shared/yieldEvery.ts';
import type { Foreground } from './foreground.ts';
import type { SharedGate } from './sharedGate.ts';
import type { TimelineRecording } from './timelineRecording.ts';

/** How long a seek may have to wait for the record that is being played. */
const WORK_MS = 8;
/** Records played before the recording may be changed under the pass. */
const RECORDS_AT_ONCE = 500;

/** Goes through a recording once, in the background, and on as it grows. */
export abstract class RecordPass implements Disposable {
  readonly #recording: TimelineRecording;
  readonly #gate: SharedGate;
  readonly #foreground: Foreground;
  readonly #progress = new Signal();
  #next: number;
  #isRunning = false;
  #isDisposed = false;

  /** @param from the first record to play */
  constructor(
    recording: TimelineRecording,
    gate: SharedGate,
    foreground: Foreground,
    { from = 0 } = {},
  ) {
    this.#next = from;
    this.#recording = recording;
    this.#gate = gate;
    this.#foreground = foreground;
  }

  /** 0 to 1. */
  get progress(): number {
    const { recordCount } = this.#recording.reader;
    return recordCount === 0 ? 1 : Math.min(1, this.#next / recordCount);
  }

  /** Everything that has been read through was played. */
  get isCurrent(): boolean {
    return this.#next >= this.#recording.index.length;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** More was played, or there is nothing more to play. */
  moved(): Promise<void> {
    return this.#progress.wait();
  }

  /** Starts, or goes on after the recording grew. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.isCurrent && !this.#isDisposed) {
        await this.#foreground.whenIdle();
        await this.#gate.shared(() => this.#playSome());
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
      // Not waited for here: whoever is served waits for the gate when the recording is being looked at anew, which waits for this.
      if (this.#foreground.isBusy) return;
    }
  }
}
