import type { AhrRecord } from '../../../src/recording/format/records.ts';
import { TimelineFrames } from '../../../src/timeline/common/playback/timelineFrames.ts';
import { RecordIndex } from '../../../src/timeline/common/recordIndex.ts';
import type {
  PlaybackScreen,
  ScreenState,
} from '../../../src/timeline/common/playback/playback.ts';
import { makeKeyframes } from './makeKeyframes.ts';
import { MemoryKeyframes } from '../../../src/terminal/keyframes/keyframeStore.ts';
import type { TerminalSize } from '../../../src/base/terminalSize.ts';
import { TerminalModel } from '../../../src/terminal/screen/terminalModel.ts';
import { RecordList } from '../recording/recordList.ts';

/** A screen for a player, whose contents tests can compare. */
export class ModelScreen implements PlaybackScreen {
  model: TerminalModel;
  /** The calls, in order. */
  readonly log: string[] = [];

  constructor(size: TerminalSize = { cols: 80, rows: 24 }) {
    this.model = new TerminalModel({ size, historyLines: 0 });
  }

  reset({ cols, rows, bytes, place }: ScreenState): Promise<void> {
    this.model.dispose();
    this.model = new TerminalModel({ size: { cols, rows }, historyLines: 0 });
    this.model.write(bytes, 0);
    this.log.push(`reset @${place.byteOffset}`);
    return Promise.resolve();
  }

  write(bytes: Uint8Array): Promise<void> {
    this.model.write(bytes, 0);
    this.log.push(`write ${bytes.length}`);
    return Promise.resolve();
  }

  rest(): Promise<void> {
    this.log.push('rest');
    return Promise.resolve();
  }

  get text(): string {
    return this.model
      .rows()
      .map(({ text }) => text.trimEnd())
      .join('\n')
      .trimEnd();
  }
}

/** Frames of a timeline over records in memory. */
export async function framesOf(
  records: readonly AhrRecord[],
  size: TerminalSize,
): Promise<{ frames: TimelineFrames; index: RecordIndex; keyframes: MemoryKeyframes }> {
  const source = new RecordList(records);
  const index = indexOf(records);
  const keyframes = new MemoryKeyframes();
  for await (const keyframe of makeKeyframes(source, size)) keyframes.append(keyframe);
  return { frames: new TimelineFrames({ source, size, index, keyframes }), index, keyframes };
}

export function indexOf(records: readonly AhrRecord[]): RecordIndex {
  const index = new RecordIndex(records[0]?.tsNs ?? 0n);
  let bytes = 0;
  for (const record of records) {
    if (record.kind === 'data') bytes = record.startByteOffset + record.bytes.length;
    index.append(record.tsNs, bytes);
  }
  return index;
}
