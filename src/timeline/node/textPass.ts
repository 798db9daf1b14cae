import type { AhrRecord } from '../../recording/format/records.ts';
import { ScreenText } from '../common/screenText.ts';
import { TextIndex } from '../common/textIndex.ts';
import type { Foreground } from './foreground.ts';
import { RecordPass } from './recordPass.ts';
import type { SharedGate } from './sharedGate.ts';
import type { TimelineRecording } from './timelineRecording.ts';

/** Keeps every line that was on the screen; on the way it makes the keyframes where there are none. */
export class TextPass extends RecordPass {
  readonly #text: ScreenText;
  readonly index = new TextIndex();
  #recordIndex = 0;

  constructor(recording: TimelineRecording, gate: SharedGate, foreground: Foreground) {
    super(recording, gate, foreground);
    this.#text = new ScreenText({
      size: recording.size,
      onLine: (line, isPassing) =>
        this.index.append(line, {
          ...{ recordIndex: this.#recordIndex, isPassing },
          byteOffset: recording.index.byteAfter(this.#recordIndex),
          timeMs: recording.index.timeOf(this.#recordIndex),
        }),
      onKeyframe: (keyframe) => void recording.keyframes.add(keyframe),
    });
  }

  override dispose(): void {
    super.dispose();
    this.#text.dispose();
  }

  protected override play(record: AhrRecord, recordIndex: number): void {
    this.#recordIndex = recordIndex;
    this.#text.play(record);
  }
}
