import { FileSink } from '../../platform/node/files/fileSink.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Keyframe } from '../../terminal/keyframes/keyframe.ts';
import { KeyframeWriter, recordingFingerprint } from '../../terminal/keyframes/keyframeStore.ts';

/** `session.keyframes` while it is being made. A cache: when it cannot be written, there is none. */
export class KeyframesFile {
  readonly #file: string;
  readonly #size: { cols: number; rows: number };
  readonly #order = new Sequencer();
  #sink: FileSink | undefined;
  #writer: KeyframeWriter | undefined;
  #isStarted = false;

  constructor(file: string, size: { cols: number; rows: number }) {
    this.#file = file;
    this.#size = size;
  }

  /** Takes every record, in order, with the keyframe made after it, if one was. */
  add(record: AhrRecord, keyframe: Keyframe | undefined): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      const fingerprint = recordingFingerprint(this.#size, record);
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
    this.#order.queue(task).catch(() => (this.#writer = undefined));
  }
}
