import { FileSink } from '../../platform/node/files/fileSink.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Keyframe } from '../../terminal/keyframes/keyframe.ts';
import { KeyframeWriter } from '../../terminal/keyframes/keyframeStore.ts';

/**
 * Writes `session.keyframes` during the recording. The file is a cache: after a write error,
 * nothing more is written to it.
 */
export class KeyframesFile {
  readonly #file: string;
  readonly #fingerprintOf: (first: AhrRecord) => bigint;
  readonly #order = new Sequencer();
  #sink: FileSink | undefined;
  #writer: KeyframeWriter | undefined;
  #isStarted = false;

  /** @param fingerprintOf computes the recording's fingerprint from its first record */
  constructor(file: string, fingerprintOf: (first: AhrRecord) => bigint) {
    this.#file = file;
    this.#fingerprintOf = fingerprintOf;
  }

  /** Call with every record in order, and with the keyframe taken after it, if any. */
  add(record: AhrRecord, keyframe: Keyframe | undefined): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      const fingerprint = this.#fingerprintOf(record);
      this.#queue(async () => {
        this.#sink = await FileSink.create(this.#file);
        this.#writer = await KeyframeWriter.create(this.#sink, fingerprint);
      });
    }
    if (keyframe) this.#queue(async () => this.#writer?.append(keyframe));
  }

  async close(): Promise<void> {
    this.#queue(async () => this.#sink?.close());
    await this.#order.queue(() => Promise.resolve());
  }

  #queue(task: () => Promise<void>): void {
    // After an error, further keyframes are dropped.
    this.#order.queue(task).catch(() => (this.#writer = undefined));
  }
}
