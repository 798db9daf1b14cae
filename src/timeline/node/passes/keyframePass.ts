import type { AhrRecord } from '../../../recording/format/records.ts';
import { isMadeAfter } from '../../../terminal/keyframes/frames.ts';
import type { Keyframe } from '../../../terminal/keyframes/keyframe.ts';
import { KeyframeSchedule } from '../../../terminal/keyframes/keyframeSchedule.ts';
import { playRecord } from '../../../terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../../terminal/screen/terminalModel.ts';
import type { Foreground } from './foreground.ts';
import { RecordPass } from './recordPass.ts';
import type { ReadWriteLock } from './readWriteLock.ts';
import type { TimelineRecording } from '../timelineRecording.ts';

/**
 * Computes the keyframes that are missing at the end of a recording, until the recorder's own
 * keyframes reach further.
 */
export class KeyframePass extends RecordPass {
  readonly #recording: TimelineRecording;
  readonly #model: TerminalModel;
  readonly #schedule: KeyframeSchedule;

  private constructor(
    recording: TimelineRecording,
    lock: ReadWriteLock,
    foreground: Foreground,
    keyframe: Keyframe,
  ) {
    super(recording, lock, foreground, { from: keyframe.recordIndex });
    this.#recording = recording;
    const { unicodeVersion } = recording;
    this.#model = TerminalModel.restore(keyframe, { historyLines: 0, unicodeVersion });
    this.#schedule = new KeyframeSchedule(keyframe);
  }

  /** Undefined if the recording has no keyframe to start from. */
  static async fromLast(
    recording: TimelineRecording,
    lock: ReadWriteLock,
    foreground: Foreground,
  ): Promise<KeyframePass | undefined> {
    const keyframe = await recording.keyframes.last(() => true);
    if (!keyframe) return undefined;
    const range = { from: keyframe.recordIndex - 1, isShort: true };
    for await (const record of recording.source.records(range)) {
      if (!isMadeAfter(keyframe, record)) return undefined;
      return new KeyframePass(recording, lock, foreground, keyframe);
    }
    return undefined;
  }

  override dispose(): void {
    if (this.isDisposed) return;
    super.dispose();
    this.#model.dispose();
  }

  protected override play(record: AhrRecord): void {
    playRecord(this.#model, record);
    const keyframe = this.#schedule.afterRecord(this.#model, record);
    if (keyframe && !this.#recording.keyframes.add(keyframe)) this.dispose();
  }
}
