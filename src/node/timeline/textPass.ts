import { Signal } from '../../base/signal.ts';
import { ScreenText } from '../../replay/screenText.ts';
import { TextIndex } from '../../replay/textIndex.ts';
import { breathing } from '../breathing.ts';
import type { Foreground } from './foreground.ts';
import type { SharedGate } from './sharedGate.ts';
import type { TimelineRecording } from './timelineRecording.ts';

/** How long a seek may have to wait for the record that is being played. */
const WORK_MS = 8;
/** Records played before the recording may be changed under the pass. */
const RECORDS_AT_ONCE = 500;

/**
 * Plays a recording through once, in the background, and keeps every line that was on the screen; on the way it makes the
 * keyframes where there are none. Goes on as the recording grows.
 */
export class TextPass {
  readonly #recording: TimelineRecording;
  readonly #gate: SharedGate;
  readonly #foreground: Foreground;
  readonly #text: ScreenText;
  readonly #progress = new Signal();
  readonly index = new TextIndex();
  #next = 0;
  #isRunning = false;
  #isDisposed = false;

  constructor(recording: TimelineRecording, gate: SharedGate, foreground: Foreground) {
    this.#recording = recording;
    this.#gate = gate;
    this.#foreground = foreground;
    this.#text = new ScreenText({
      size: recording.size,
      onLine: (line, isPassing) => this.#add(line, isPassing),
      onKeyframe: (keyframe) => {
        if (keyframe.byteOffset > recording.keyframes.reach) {
          recording.keyframes.made.append(keyframe);
        }
      },
    });
  }

  /** 0 to 1. */
  get progress(): number {
    const { recordCount } = this.#recording.reader;
    return recordCount === 0 ? 1 : Math.min(1, this.#next / recordCount);
  }

  /** Everything that has been read through is in the index. */
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
    this.#text.dispose();
    this.#progress.notify();
  }

  async #playSome(): Promise<void> {
    const pause = breathing(WORK_MS);
    const last = this.#next + RECORDS_AT_ONCE;
    for await (const record of this.#recording.source.records({ from: this.#next })) {
      if (this.#isDisposed || this.isCurrent || this.#next >= last) return;
      this.#text.play(record);
      this.#next++;
      const breath = pause();
      if (!breath) continue;
      await breath;
      await this.#foreground.whenIdle();
    }
  }

  #add(line: string, isPassing: boolean): void {
    const { index } = this.#recording;
    const recordIndex = this.#next;
    this.index.append(line, {
      ...{ recordIndex, isPassing },
      byteOffset: index.byteAfter(recordIndex),
      timeMs: index.timeOf(recordIndex),
    });
  }
}
