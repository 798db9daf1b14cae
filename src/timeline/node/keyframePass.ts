import type { AhrRecord } from '../../recording/format/records.ts';
import { isMadeAfter } from '../../terminal/keyframes/frames.ts';
import type { Keyframe } from '../../terminal/keyframes/keyframe.ts';
import { KeyframeSchedule } from '../../terminal/keyframes/keyframeSchedule.ts';
import { playRecord } from '../../terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../terminal/screen/terminalModel.ts';
import type { Foreground } from './foreground.ts';
import { RecordPass } from './recordPass.ts';
import type { SharedGate } from './sharedGate.ts';
import type { TimelineRecording } from './timelineRecording.ts';

/** Makes the keyframes that a recorder has not got round to, from the last one on. It is over once there are others. */
export class KeyframePass extends RecordPass {
  readonly #recording: TimelineRecording;
  readonly #model: TerminalModel;
  readonly #schedule: KeyframeSchedule;

  private constructor(
    recording: TimelineRecording,
    gate: SharedGate,
    foreground: Foreground,
    keyframe: Keyframe,
  ) {
    super(recording, gate, foreground, { from: keyframe.recordIndex });
    this.#recording = recording;
    this.#model = TerminalModel.restore(keyframe, { historyLines: 0 });
    this.#schedule = new KeyframeSchedule(keyframe);
  }

  /** Nothing when there is no keyframe yet, or the last is not of this recording: then play from the start. */
  static async fromLast(
    recording: TimelineRecording,
    gate: SharedGate,
    foreground: Foreground,
  ): Promise<KeyframePass | undefined> {
    const keyframe = await recording.keyframes.last(() => true);
    if (!keyframe) return undefined;
    const range = { from: keyframe.recordIndex - 1, isShort: true };
    for await (const record of recording.source.records(range)) {
      if (!isMadeAfter(keyframe, record)) return undefined;
      return new KeyframePass(recording, gate, foreground, keyframe);
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
