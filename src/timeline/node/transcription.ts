import { setTimeout as sleep } from 'node:timers/promises';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Moment } from '../common/moment.ts';
import { transcriptOf } from '../common/transcript/transcript.ts';
import type { TranscriptBody } from '../common/webviewProtocol.ts';
import type { Foreground } from './foreground.ts';
import type { SharedGate } from './sharedGate.ts';
import type { TimelineRecording } from './timelineRecording.ts';
import { TranscriptPass } from './transcriptPass.ts';
import { TranscriptTeller } from './transcriptTeller.ts';

/** As often as a text may change under somebody who reads it. */
const TELL_MS = 700;

export interface TranscriptionParts {
  readonly recording: TimelineRecording;
  readonly gate: SharedGate;
  readonly foreground: Foreground;
  /** All that are known now, in the session's order. */
  readonly moments: () => readonly Moment[];
  readonly tell: (body: TranscriptBody) => void;
}

/** A session as text, told while it is being made and as it goes on. */
export class Transcription implements Disposable {
  readonly #parts: TranscriptionParts;
  readonly #pass: TranscriptPass;
  readonly #teller: TranscriptTeller;
  #isRunning = false;
  #isWanted = false;
  #toldAt = -Infinity;

  constructor(parts: TranscriptionParts) {
    this.#parts = parts;
    const { recording, gate, foreground, moments, tell } = parts;
    this.#pass = new TranscriptPass(recording, gate, foreground, () =>
      moments().map(({ byteOffset }) => byteOffset),
    );
    this.#teller = new TranscriptTeller(tell);
  }

  /** The recording has grown, or there are other moments. */
  async goOn(): Promise<void> {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isWanted && !this.#pass.isDisposed) {
      this.#isWanted = false;
      await this.#playOn();
    }
    this.#isRunning = false;
  }

  dispose(): void {
    this.#pass.dispose();
  }

  async #playOn(): Promise<void> {
    void this.#pass.run();
    while (!this.#pass.isCurrent && !this.#pass.isDisposed) {
      await this.#pass.moved();
      if (performance.now() - this.#toldAt >= TELL_MS) this.#tell();
    }
    await sleep(Math.max(0, this.#toldAt + TELL_MS - performance.now()));
    this.#tell();
  }

  #tell(): void {
    if (this.#pass.isDisposed) return;
    const { recording, moments } = this.#parts;
    const lines = transcriptOf(this.#pass.lines, moments(), recording.index.startNs);
    this.#teller.tell(lines, this.#pass.isCurrent);
    this.#toldAt = performance.now();
  }
}
