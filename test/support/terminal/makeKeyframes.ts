import type { TerminalSize } from '../../../src/base/terminalSize.ts';
import type { RecordSource } from '../../../src/terminal/keyframes/frames.ts';
import type { Keyframe } from '../../../src/terminal/keyframes/keyframe.ts';
import { KeyframeSchedule } from '../../../src/terminal/keyframes/keyframeSchedule.ts';
import { playRecord } from '../../../src/terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../../src/terminal/screen/terminalModel.ts';

/** Plays a recording and yields the keyframes that a recorder would take. */
export async function* makeKeyframes(
  source: RecordSource,
  size: TerminalSize,
): AsyncGenerator<Keyframe, void, void> {
  const model = new TerminalModel({ size, historyLines: 0 });
  const schedule = new KeyframeSchedule();
  for await (const record of source.records({ from: 0 })) {
    playRecord(model, record);
    const keyframe = schedule.afterRecord(model, record);
    if (keyframe) yield keyframe;
  }
  model.dispose();
}
