import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Keyframe } from './keyframe.ts';
import type { KeyframeEntry } from './keyframeFile.ts';
import type { KeyframeLookup } from './keyframeStore.ts';
import { playRecord } from './playRecord.ts';
import { TerminalModel } from '../screen/terminalModel.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';

/** Reads a recording from any record; implemented by `RecordingReader`. */
export interface RecordSource {
  /** @param range with `isShort`, the reader does not read ahead */
  records(range: { readonly from?: number; readonly isShort?: boolean }): AsyncIterable<AhrRecord>;
}

/**
 * A moment of a recording:
 * - `byteOffset`: after this many bytes of output;
 * - `tsNs`: after all records up to and including this time;
 * - `recordIndex`: after this record; -1 for the start.
 */
export type FrameTarget =
  { readonly byteOffset: number } | { readonly tsNs: bigint } | { readonly recordIndex: number };

export interface FrameOptions {
  readonly source: RecordSource;
  /** Size of the terminal at the start of the recording. */
  readonly size: TerminalSize;
  /**
   * The Unicode version of the program's terminal; keyframes must be made with the same version.
   */
  readonly unicodeVersion?: UnicodeVersion;
  readonly target: FrameTarget;
  readonly keyframes?: KeyframeLookup;
  readonly historyLines?: number;
  readonly signal?: AbortSignal;
}

/**
 * Builds the terminal at a moment: restores the last keyframe before it, then plays the records
 * since that keyframe. The result equals a terminal that played from the start, except for the
 * scrollback before the keyframe.
 */
export async function frameAt(options: FrameOptions): Promise<TerminalModel> {
  const { source, keyframes, target, signal, unicodeVersion } = options;
  const historyLines = options.historyLines ?? 0;
  const keyframe = await keyframes?.last((entry) => !isAfter(entry, target));
  if (keyframe) {
    const model = TerminalModel.restore(keyframe, { historyLines, unicodeVersion });
    // Start with the record before the keyframe, to check that both belong to the same recording.
    const from = keyframe.recordIndex - 1;
    if (await playTo(model, source, { from, keyframe, target, signal })) return model;
    model.dispose();
  }
  const model = new TerminalModel({ size: options.size, historyLines, unicodeVersion });
  await playTo(model, source, { from: 0, keyframe: undefined, target, signal });
  return model;
}

function isAfter(entry: KeyframeEntry, target: FrameTarget): boolean {
  if ('byteOffset' in target) return entry.byteOffset > target.byteOffset;
  if ('tsNs' in target) return entry.tsNs > target.tsNs;
  return entry.recordIndex - 1 > target.recordIndex;
}

interface PlayRange {
  readonly from: number;
  readonly keyframe: Keyframe | undefined;
  readonly target: FrameTarget;
  readonly signal: AbortSignal | undefined;
}

/** @returns false if the keyframe does not belong to the recording */
async function playTo(
  model: TerminalModel,
  source: RecordSource,
  range: PlayRange,
): Promise<boolean> {
  const { target, keyframe } = range;
  let index = range.from;
  const isShort = keyframe !== undefined;
  for await (const record of source.records({ from: range.from, isShort })) {
    range.signal?.throwIfAborted();
    const recordIndex = index++;
    if (keyframe && recordIndex < keyframe.recordIndex) {
      if (!isMadeAfter(keyframe, record)) return false;
      continue;
    }
    if ('recordIndex' in target && recordIndex > target.recordIndex) return true;
    if ('tsNs' in target && record.tsNs > target.tsNs) return true;
    if ('byteOffset' in target && record.kind === 'data') {
      const end = record.startByteOffset + record.bytes.length;
      if (end > target.byteOffset) {
        const length = target.byteOffset - record.startByteOffset;
        if (length > 0) model.write(record.bytes.subarray(0, length), target.byteOffset);
        return true;
      }
    }
    playRecord(model, record);
  }
  return keyframe === undefined || index >= keyframe.recordIndex;
}

export function isMadeAfter(keyframe: Keyframe, record: AhrRecord): boolean {
  if (record.tsNs !== keyframe.tsNs) return false;
  return (
    record.kind !== 'data' || record.startByteOffset + record.bytes.length === keyframe.byteOffset
  );
}
