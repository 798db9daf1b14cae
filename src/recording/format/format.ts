import { ByteWriter } from '../../base/bytes.ts';
import type { BlockInfo } from './blockInfo.ts';

/** `AHRC` read as a little-endian number. */
const BLOCK_MAGIC = 0x43524841;
const FORMAT_VERSION = 1;

/** Length of the header's fields, without padding. */
export const HEADER_LENGTH = 44;
/**
 * The Rust reference implementation declares this length (`sizeof` with padding), but writes 44
 * bytes.
 */
export const REFERENCE_HEADER_LENGTH = 48;

export const FLAG_LAST_BLOCK = 1;

/** Default Brotli quality: fast, and compact enough until the recording is repacked. */
export const DEFAULT_QUALITY = 4;

export const TAG_DATA = 0;
export const TAG_RESIZE = 1;
export const TAG_INPUT = 2;
export const TAG_MARK = 3;
export const TAG_SNAPSHOT = 4;

/** Length of a resize, the shortest record: limits how many records fit into a segment. */
export const MIN_RECORD_LENGTH = 16;

/** Code of the mark that ends a session. Its value is the exit code, or 128 + the signal number. */
export const MARK_SESSION_END = 1;
/** Code of the mark that begins a pause: output and input up to the next mark are not recorded. */
export const MARK_PAUSE = 2;
/**
 * Code of the mark that ends a pause. Its value is the number of output bytes after it that the
 * recorder itself printed: they blank the screen and contain the length of the pause.
 */
export const MARK_RESUME = 3;

/**
 * Longest segment that readers accept: they reject a block that claims more, without reading it.
 * Other writers may use longer segments than ours, so it is 32 times the length that we write; it
 * is small enough that a hostile file needs little memory.
 */
export const MAX_SEGMENT_LENGTH = 16 * 1024 * 1024;
/** Longest compressed payload of a segment: Brotli adds a few bytes to incompressible data. */
export const MAX_PAYLOAD_LENGTH = MAX_SEGMENT_LENGTH + 64 * 1024;
/** Longest output or input of one record: the longest segment less the 24 bytes of other fields. */
export const MAX_DATA_BYTES = MAX_SEGMENT_LENGTH - 24;
/**
 * Readers list at most this many blocks, to limit the memory for hostile files. It is enough for
 * four days with five blocks a second.
 */
export const MAX_BLOCKS = 2_000_000;
/** The length of a label is stored in 16 bits. */
export const MAX_LABEL_BYTES = 0xffff;

/** The fields of a block header. */
export interface BlockHeader {
  readonly headerLength: number;
  readonly startTsNs: bigint;
  readonly startByteOffset: bigint;
  readonly uncompressedLength: number;
  readonly compressedLength: number;
  readonly recordCount: number;
  readonly flags: number;
  /** Whether the seven reserved bytes are zero, as version 1 requires. */
  readonly isReservedZero: boolean;
}

/** Encodes a block, header and payload together, so that one write appends it. */
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

/** Decodes the 44 known bytes of a header. The caller skips the rest of a longer header. */
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

/** Whether `bytes`, at most four, are the magic number or its beginning. True for no bytes. */
export function isMagicPrefix(bytes: Uint8Array): boolean {
  return bytes.every((byte, index) => byte === ((BLOCK_MAGIC >>> (8 * index)) & 0xff));
}
