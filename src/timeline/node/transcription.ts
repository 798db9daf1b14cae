import { setTimeout as sleep } from 'node:timers/promises';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Moment } from '../common/moments/moment.ts';
import { transcriptOf, type TranscriptUpdate } from '../common/transcript/transcript.ts';
import type { Foreground } from './passes/foreground.ts';
import type { ReadWriteLock } from './passes/readWriteLock.ts';
import type { TimelineRecording } from './timelineRecording.ts';
import { TranscriptPass } from './passes/transcriptPass.ts';
import { TranscriptSender } from './transcriptSender.ts';

/** Shortest time between two updates, so that the text stays readable. */
const UPDATE_MS = 700;

export interface TranscriptionParts {
  readonly recording: TimelineRecording;
  readonly lock: ReadWriteLock;
  readonly foreground: Foreground;
  /** All moments known now, in session order. */
  readonly moments: () => readonly Moment[];
  readonly send: (body: TranscriptUpdate) => void;
}

/** Builds the transcript of a session and sends it in parts, also while the session runs. */
export class Transcription implements Disposable {
  readonly #parts: TranscriptionParts;
  readonly #pass: TranscriptPass;
  readonly #sender: TranscriptSender;
  #isRunning = false;
  #isOutdated = false;
  #sentAt = -Infinity;

  constructor(parts: TranscriptionParts) {
    this.#parts = parts;
    const { recording, lock, foreground, moments, send } = parts;
    this.#pass = new TranscriptPass(recording, lock, foreground, () =>
      moments().map(({ byteOffset }) => byteOffset),
    );
    this.#sender = new TranscriptSender(send);
  }

  /** Call this when the recording has grown or its moments have changed. */
  async update(): Promise<void> {
    this.#isOutdated = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isOutdated && !this.#pass.isDisposed) {
      this.#isOutdated = false;
      await this.#playRest();
    }
    this.#isRunning = false;
  }

  dispose(): void {
    this.#pass.dispose();
  }

  async #playRest(): Promise<void> {
    void this.#pass.run();
    while (!this.#pass.isCurrent && !this.#pass.isDisposed) {
      await this.#pass.moved();
      if (performance.now() - this.#sentAt >= UPDATE_MS) this.#send();
    }
    await sleep(Math.max(0, this.#sentAt + UPDATE_MS - performance.now()));
    this.#send();
  }

  #send(): void {
    if (this.#pass.isDisposed) return;
    const { recording, moments } = this.#parts;
    const { lines: shown, promptWaits } = this.#pass;
    const lines = transcriptOf(shown, moments(), recording.index.startNs, promptWaits);
    this.#sender.send(lines, this.#pass.isCurrent);
    this.#sentAt = performance.now();
  }
}
