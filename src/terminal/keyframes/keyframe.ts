import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { CapturedState } from '../screen/terminalModel.ts';

/** The state of the terminal at a moment, so that seeking need not play from the start. */
export interface Keyframe extends CapturedState {
  /** Number of applied records, which is also the index of the next record. */
  readonly recordIndex: number;
  /** Time of the last applied record. */
  readonly tsNs: bigint;
}

/** Limit for a state: most have a few kilobytes; this allows a million cells with a color each. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;

/** Encodes the part of a keyframe that is not in its entry's header; see `keyframeFile.ts`. */
export function encodeKeyframeBody(keyframe: Keyframe): Uint8Array {
  const writer = new ByteWriter(keyframe.stream.length + 16 * keyframe.size.rows + 64);
  writeOffsets(writer, keyframe.normalLastWriteBytes);
  writeOffsets(writer, keyframe.alternateLastWriteBytes);
  writer.u32(keyframe.stream.length).bytes(keyframe.stream);
  return writer.toBytes();
}

export type KeyframeBody = Pick<
  Keyframe,
  'normalLastWriteBytes' | 'alternateLastWriteBytes' | 'stream'
>;

/** @returns undefined if the body is not the encoded state of a terminal with this many rows */
export function decodeKeyframeBody(body: Uint8Array, rows: number): KeyframeBody | undefined {
  const reader = new ByteReader(body);
  const normalLastWriteBytes = readOffsets(reader);
  const alternateLastWriteBytes = readOffsets(reader);
  const length = reader.u32();
  if (length !== reader.remaining) return undefined;
  const stream = reader.bytes(length);
  if (!normalLastWriteBytes || !alternateLastWriteBytes || !stream) return undefined;
  const isScreen = (count: number): boolean => count === rows;
  if (!isScreen(normalLastWriteBytes.length)) return undefined;
  if (alternateLastWriteBytes.length > 0 && !isScreen(alternateLastWriteBytes.length))
    return undefined;
  return { normalLastWriteBytes, alternateLastWriteBytes, stream };
}

function writeOffsets(writer: ByteWriter, offsets: readonly number[]): void {
  writer.u16(offsets.length);
  for (const offset of offsets) writer.u64(offset);
}

function readOffsets(reader: ByteReader): number[] | undefined {
  const count = reader.u16();
  if (count === undefined || count * 8 > reader.remaining) return undefined;
  return Array.from({ length: count }, () => Number(reader.u64()));
}
