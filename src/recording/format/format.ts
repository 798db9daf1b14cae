import { ByteWriter } from '../../base/bytes.ts';
import type { BlockInfo } from './blockInfo.ts';

/** `AHRC` read as a little-endian number. */
export const BLOCK_MAGIC = 0x43524841;
export const FORMAT_VERSION = 1;

/** The header's fields, packed. It is what we declare, and what we write. */
export const HEADER_LENGTH = 44;
/** What the Rust reference implementation declares (`sizeof` with padding) while it writes 44 bytes. */
export const REFERENCE_HEADER_LENGTH = 48;

export const FLAG_LAST_BLOCK = 1;

/** Brotli quality unless somebody wants another: fast, and compact enough until a recording is repacked. */
export const DEFAULT_QUALITY = 4;

export const TAG_DATA = 0;
export const TAG_RESIZE = 1;
export const TAG_INPUT = 2;
export const TAG_MARK = 3;
export const TAG_SNAPSHOT = 4;

/** A resize, the shortest record there is: bounds how many records a segment of a given length can hold. */
export const MIN_RECORD_LENGTH = 16;

/** Code of the mark that ends a session; its value is the exit code, or 128 + the signal's number. */
export const MARK_SESSION_END = 1;

/**
 * A block that claims to expand to more is refused unread. 32 times what we write, so that other writers have room, and
 * small enough that a hostile file costs a reader little.
 */
export const MAX_SEGMENT_LENGTH = 16 * 1024 * 1024;
/** Longest compressed payload of such a segment: brotli adds a few bytes to what it cannot compress. */
export const MAX_PAYLOAD_LENGTH = MAX_SEGMENT_LENGTH + 64 * 1024;
/** The longest output or input that one record can hold: it must fit a segment, with its 24 bytes of fields. */
export const MAX_DATA_BYTES = MAX_SEGMENT_LENGTH - 24;
/** Days of five blocks a second without a pause; a reader lists no more of a file made to exhaust its memory. */
export const MAX_BLOCKS = 2_000_000;
/** Length of a label is stored in 16 bits. */
export const MAX_LABEL_BYTES = 0xffff;

/** The fields of a block header, as they are in the file. */
export interface BlockHeader {
  readonly headerLength: number;
  readonly startTsNs: bigint;
  readonly startByteOffset: bigint;
  readonly uncompressedLength: number;
  readonly compressedLength: number;
  readonly recordCount: number;
  readonly flags: number;
  /** Whether the seven bytes kept for the future are zero, as they should be in version 1. */
  readonly isReservedZero: boolean;
}

/** A header and its payload, ready for one append. */
export function encodeBlock(
  facts: Pick<
    BlockInfo,
    'startTsNs' | 'startByteOffset' | 'uncompressedLength' | 'recordCount' | 'isLast'
  >,
  payload: Uint8Array,
): Uint8Array<ArrayBuffer> {
  return new ByteWriter(HEADER_LENGTH + payload.length)
    .u32(BLOCK_MAGIC)
    .u16(FORMAT_VERSION)
    .u16(HEADER_LENGTH)
    .u64(facts.startTsNs)
    .u64(facts.startByteOffset)
    .u32(facts.uncompressedLength)
    .u32(payload.length)
    .u32(facts.recordCount)
    .u8(facts.isLast ? FLAG_LAST_BLOCK : 0)
    .zeros(7)
    .bytes(payload)
    .toBytes();
}

export type HeaderFault = 'short' | 'badMagic' | 'badVersion' | 'badLengths';

/** Reads the 44 known bytes of a header; what follows them in a longer header is the caller's to skip. */
export function decodeHeader(bytes: Uint8Array): BlockHeader | HeaderFault {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isMagicPrefix(bytes.subarray(0, 4))) return 'badMagic';
  if (bytes.length >= 6 && view.getUint16(4, true) !== FORMAT_VERSION) return 'badVersion';
  if (bytes.length < HEADER_LENGTH) return 'short';
  const headerLength = view.getUint16(6, true);
  if (headerLength < HEADER_LENGTH) return 'badLengths';
  return {
    headerLength,
    startTsNs: view.getBigUint64(8, true),
    startByteOffset: view.getBigUint64(16, true),
    uncompressedLength: view.getUint32(24, true),
    compressedLength: view.getUint32(28, true),
    recordCount: view.getUint32(32, true),
    flags: view.getUint8(36),
    isReservedZero: bytes.subarray(37, HEADER_LENGTH).every((byte) => byte === 0),
  };
}

/** Whether these bytes, at most four, can be the beginning of a block. None at all can. */
export function isMagicPrefix(bytes: Uint8Array): boolean {
  return bytes.every((byte, index) => byte === ((BLOCK_MAGIC >>> (8 * index)) & 0xff));
}
