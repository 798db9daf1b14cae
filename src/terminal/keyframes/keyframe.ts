import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { CapturedState } from '../screen/terminalModel.ts';

/** The state of the terminal at one moment of a recording: a place to start from instead of the beginning. */
export interface Keyframe extends CapturedState {
  /** Records applied so far; also the index of the next one. */
  readonly recordIndex: number;
  /** Time of the last record applied. */
  readonly tsNs: bigint;
}

/** A state of a few kilobytes is usual; this is a screen of a million cells, each with its own colours. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;

/** The part of a keyframe that its entry's header does not have; see `keyframeFile.ts`. */
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

/** Nothing when the body is not exactly what `encodeKeyframeBody` wrote for a terminal with so many rows. */
export function decodeKeyframeBody(body: Uint8Array, rows: number): KeyframeBody | undefined {
  const reader = new ByteReader(body);
  const normalLastWriteBytes = readOffsets(reader);
  const alternateLastWriteBytes = readOffsets(reader);
  const length = reader.u32();
  if (!normalLastWriteBytes || !alternateLastWriteBytes || length !== reader.remaining)
    return undefined;
  const isScreen = (count: number): boolean => count === rows;
  if (!isScreen(normalLastWriteBytes.length)) return undefined;
  if (alternateLastWriteBytes.length > 0 && !isScreen(alternateLastWriteBytes.length))
    return undefined;
  return { normalLastWriteBytes, alternateLastWriteBytes, stream: reader.bytes(length)! };
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
