import type { AhrRecord } from '../../../recording/format/records.ts';
import { ScreenText } from '../../common/search/screenText.ts';
import { TextIndex } from '../../common/search/textIndex.ts';
import type { Foreground } from './foreground.ts';
import { RecordPass } from './recordPass.ts';
import type { ReadWriteLock } from './readWriteLock.ts';
import type { TimelineRecording } from '../timelineRecording.ts';

/** Indexes every line of the screen for search, and computes missing keyframes on the way. */
export class TextPass extends RecordPass {
  readonly #text: ScreenText;
  readonly index = new TextIndex();
  #recordIndex = 0;

  constructor(recording: TimelineRecording, lock: ReadWriteLock, foreground: Foreground) {
    super(recording, lock, foreground);
    this.#text = new ScreenText({
      size: recording.size,
      unicodeVersion: recording.unicodeVersion,
      onLine: (line, isPassing) =>
        this.index.append(line, {
          recordIndex: this.#recordIndex,
          isPassing,
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
