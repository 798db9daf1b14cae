import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import type { AhrRecord } from '../../../recording/format/records.ts';
import {
  frameAt,
  type FrameTarget,
  type RecordSource,
} from '../../../terminal/keyframes/frames.ts';
import type { KeyframeLookup } from '../../../terminal/keyframes/keyframeStore.ts';
import { playRecord } from '../../../terminal/keyframes/playRecord.ts';
import type { TerminalSize } from '../../../base/terminalSize.ts';
import type { TerminalModel } from '../../../terminal/screen/terminalModel.ts';
import { FrameProgress } from './frameProgress.ts';
import type {
  Place,
  PlaybackSource,
  PlayItem,
  PlaybackChunk,
  SeekTarget,
  ScreenState,
} from './playback.ts';
import { millisecondsSince, nanosecondsAt, type RecordIndex } from '../recordIndex.ts';

/** Size of a chunk: a second of a busy program, and small enough to fetch between two frames. */
const RANGE_BYTES = 128 * 1024;
const RANGE_RECORDS = 2000;
const LINE_FEED = 0x0a;

export interface TimelineFramesOptions {
  readonly source: RecordSource;
  /** Size of the terminal when the recording began. */
  readonly size: TerminalSize;
  readonly unicodeVersion?: UnicodeVersion;
  readonly index: RecordIndex;
  readonly keyframes?: KeyframeLookup;
}

/** Computes the screen at any position of a recording, and what follows it. */
export class TimelineFrames implements PlaybackSource {
  readonly #options: TimelineFramesOptions;

  constructor(options: TimelineFramesOptions) {
    this.#options = options;
  }

  /** Stepping by output needs the complete index. */
  async frame(target: SeekTarget): Promise<ScreenState> {
    if ('text' in target) return this.#frameShowing(target.recordIndex, target.text);
    const { model, progress } = await this.#modelAt(this.#frameTarget(target));
    return this.#take(model, progress.place(model.byteOffset));
  }

  async range(after: Place): Promise<PlaybackChunk> {
    const { source, index: recordIndex } = this.#options;
    const items: PlayItem[] = [];
    let bytes = 0;
    let model: TerminalModel | undefined;
    let index = after.recordIndex;
    let isEnd = true;
    try {
      for await (const record of source.records({ from: after.recordIndex + 1 })) {
        if (bytes >= RANGE_BYTES || index - after.recordIndex >= RANGE_RECORDS) {
          // A chunk needs at least one item: the next chunk starts after the last item.
          if (items.length > 0) {
            isEnd = false;
            break;
          }
        }
        index++;
        const timeMs = Math.max(0, millisecondsSince(recordIndex.startNs, record.tsNs));
        if (record.kind === 'data') {
          if (model) playRecord(model, record);
          const seen = Math.max(0, after.byteOffset - record.startByteOffset);
          if (seen >= record.bytes.length) continue;
          const byteOffset = record.startByteOffset + record.bytes.length;
          const place = { timeMs, byteOffset, recordIndex: index };
          items.push({ kind: 'output', place, bytes: record.bytes.subarray(seen) });
          bytes += record.bytes.length;
        } else if (record.kind === 'resize') {
          model ??= (await this.#modelAt({ recordIndex: index - 1 })).model;
          playRecord(model, record);
          const place = { timeMs, byteOffset: model.byteOffset, recordIndex: index };
          const state = stateOf(model, place);
          items.push({ kind: 'state', ...state });
          bytes += state.bytes.length;
        }
      }
    } finally {
      model?.dispose();
    }
    return { items, isEnd, endMs: recordIndex.endMs };
  }

  #frameTarget(target: Exclude<SeekTarget, { text: string }>): FrameTarget {
    const { index } = this.#options;
    if ('end' in target) return { recordIndex: Number.MAX_SAFE_INTEGER };
    if ('timeMs' in target) return { tsNs: nanosecondsAt(index.startNs, target.timeMs) };
    if ('byteOffset' in target) return { byteOffset: target.byteOffset };
    const { stepFrom, direction } = target;
    if (direction < 0) return { recordIndex: index.recordAtByte(stepFrom - 1) };
    return { recordIndex: index.recordAtByte(stepFrom) + 1 };
  }

  async #modelAt(target: FrameTarget): Promise<{ model: TerminalModel; progress: FrameProgress }> {
    const { source, size, unicodeVersion, keyframes, index } = this.#options;
    const progress = new FrameProgress(source, target, index.startNs);
    const model = await frameAt({
      source: progress,
      size,
      target,
      ...(unicodeVersion && { unicodeVersion }),
      ...(keyframes && { keyframes }),
    });
    return { model, progress };
  }

  /**
   * The screen at the point within a record where it first shows a text; if it never does, the
   * screen after the record.
   */
  async #frameShowing(recordIndex: number, text: string): Promise<ScreenState> {
    const { model, progress } = await this.#modelAt({ recordIndex: recordIndex - 1 });
    const record = await this.#record(recordIndex);
    if (record?.kind !== 'data') return this.#take(model, progress.place(model.byteOffset));
    const before = progress.place(model.byteOffset);
    const timeMs = Math.max(0, millisecondsSince(this.#options.index.startNs, record.tsNs));
    let at = 0;
    while (at < record.bytes.length) {
      // A line stays on the screen for as many line feeds as there are rows, so checking after half
      // as many misses no line.
      const end = afterLineFeeds(record.bytes, at, Math.max(1, model.size.rows >> 1));
      const byteOffset = record.startByteOffset + end;
      model.write(record.bytes.subarray(at, end), byteOffset);
      at = end;
      const isWhole = end === record.bytes.length;
      if (!isWhole && !isShowing(model, text)) continue;
      const shown = isWhole ? recordIndex : before.recordIndex;
      return this.#take(model, { timeMs, byteOffset, recordIndex: shown });
    }
    return this.#take(model, before);
  }

  async #record(index: number): Promise<AhrRecord | undefined> {
    const range = { from: index, isShort: true };
    for await (const record of this.#options.source.records(range)) return record;
    return undefined;
  }

  #take(model: TerminalModel, place: Place): ScreenState {
    try {
      return stateOf(model, place);
    } finally {
      model.dispose();
    }
  }
}

function stateOf(model: TerminalModel, place: Place): ScreenState {
  return { place, ...model.size, bytes: model.serializeState() };
}

function afterLineFeeds(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let found = 0; found < count; found++) {
    const next = bytes.indexOf(LINE_FEED, at);
    if (next < 0) return bytes.length;
    at = next + 1;
  }
  return at;
}

/** Joins wrapped rows, since the text may continue in the next row. */
function isShowing(model: TerminalModel, text: string): boolean {
  let lines = '';
  for (const row of model.rows()) lines += `${row.isWrapped ? '' : '\n'}${row.text}`;
  return lines.includes(text);
}
