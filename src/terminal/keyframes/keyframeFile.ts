import { areEqualBytes, ByteReader, ByteWriter } from '../../base/bytes.ts';
import { crc32 } from './checksum.ts';
import {
  MAX_STATE_BYTES,
  decodeKeyframeBody,
  encodeKeyframeBody,
  type Keyframe,
} from './keyframe.ts';
import { XTERM_VERSION } from '../screen/xtermInternals.ts';

/**
 * `session.keyframes`, little-endian, append only. A cache: invalid entries are ignored.
 *
 *     file   = header entry*
 *     header = magic u32 'AHKF', version u16, xterm u32, fingerprint u64, crc u32 of all before it
 *     entry  = magic u32 'AHKE', recordIndex u64, byteOffset u64, tsNs u64, cols u16, rows u16,
 *              bodyLength u32, bodyCrc u32, crc u32 of all before it, body
 *
 * Increase the version whenever the same recording gives different states, for example after a
 * change of the terminal model.
 */
const FILE_MAGIC = 0x464b4841;
const ENTRY_MAGIC = 0x454b4841;
export const KEYFRAMES_VERSION = 2;
export const FILE_HEADER_LENGTH = 22;
export const ENTRY_HEADER_LENGTH = 44;

/** In the header: another version of xterm may give other states and must not use this cache. */
const XTERM_STAMP = crc32(new TextEncoder().encode(XTERM_VERSION));

/** Place of a keyframe in the recording and in its file. */
export interface KeyframeEntry {
  readonly recordIndex: number;
  readonly byteOffset: number;
  readonly tsNs: bigint;
  readonly cols: number;
  readonly rows: number;
  /** Offset of the body in the file. */
  readonly fileOffset: number;
  readonly bodyLength: number;
  readonly bodyCrc: number;
}

/** @param fingerprint of the recording, see `recordingFingerprint` */
export function encodeFileHeader(fingerprint: bigint): Uint8Array {
  const writer = new ByteWriter(FILE_HEADER_LENGTH);
  writer.u32(FILE_MAGIC).u16(KEYFRAMES_VERSION).u32(XTERM_STAMP).u64(fingerprint);
  return writer.u32(crc32(writer.toBytes())).toBytes();
}

export function isFileHeader(bytes: Uint8Array, fingerprint: bigint): boolean {
  return areEqualBytes(bytes, encodeFileHeader(fingerprint));
}

export function encodeEntry(keyframe: Keyframe): Uint8Array {
  const body = encodeKeyframeBody(keyframe);
  const writer = new ByteWriter(ENTRY_HEADER_LENGTH + body.length);
  writer.u32(ENTRY_MAGIC).u64(keyframe.recordIndex).u64(keyframe.byteOffset).u64(keyframe.tsNs);
  writer.u16(keyframe.size.cols).u16(keyframe.size.rows).u32(body.length).u32(crc32(body));
  return writer.u32(crc32(writer.toBytes())).bytes(body).toBytes();
}

/** @param fileOffset of the header in the file */
export function decodeEntryHeader(
  bytes: Uint8Array,
  fileOffset: number,
): KeyframeEntry | undefined {
  if (bytes.length < ENTRY_HEADER_LENGTH) return undefined;
  const reader = new ByteReader(bytes.subarray(0, ENTRY_HEADER_LENGTH));
  if (reader.u32() !== ENTRY_MAGIC) return undefined;
  // The `!`s are safe: the length was checked, so no read returns undefined.
  const entry: KeyframeEntry = {
    recordIndex: Number(reader.u64()),
    byteOffset: Number(reader.u64()),
    tsNs: reader.u64()!,
    cols: reader.u16()!,
    rows: reader.u16()!,
    bodyLength: reader.u32()!,
    bodyCrc: reader.u32()!,
    fileOffset: fileOffset + ENTRY_HEADER_LENGTH,
  };
  const isIntact = reader.u32() === crc32(bytes.subarray(0, ENTRY_HEADER_LENGTH - 4));
  return isIntact && entry.bodyLength <= MAX_STATE_BYTES && isTerminalSize(entry)
    ? entry
    : undefined;
}

export function decodeEntryBody(entry: KeyframeEntry, body: Uint8Array): Keyframe | undefined {
  if (body.length !== entry.bodyLength || crc32(body) !== entry.bodyCrc) return undefined;
  const decoded = decodeKeyframeBody(body, entry.rows);
  if (!decoded) return undefined;
  const { recordIndex, byteOffset, tsNs, cols, rows } = entry;
  return { ...decoded, recordIndex, byteOffset, tsNs, size: { cols, rows } };
}

function isTerminalSize({ cols, rows }: KeyframeEntry): boolean {
  return cols >= 2 && rows >= 1;
}
