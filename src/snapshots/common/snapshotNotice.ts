import { ByteReader, ByteWriter } from '../../base/bytes.ts';

/**
 * The snapshot notification protocol: `u32 length` (little-endian), then one SSZ union, in both
 * directions. An SSZ union is a selector byte and the selected value; in a container, the parts of
 * variable length come last, and for each of them the fixed part has a u32 offset from the
 * container's start.
 */
export interface SnapshotNotice {
  readonly snapshotId: bigint;
  readonly label: string;
}

export type SnapshotReply =
  | {
      readonly ok: true;
      readonly snapshotId: bigint;
      readonly anchorByte: bigint;
      readonly tsNs: bigint;
    }
  | { readonly ok: false; readonly error: string };

const SELECTOR_SNAPSHOT = 0;
const SELECTOR_OK = 0;
const SELECTOR_ERROR = 1;
/** `snapshot_id` (8) and the label's offset (4). */
const FIXED_BYTES = 12;
/** The recording stores a label's length as a u16. */
const MAX_NOTICE_LABEL_BYTES = 0xffff;
export const MAX_SNAPSHOT_MESSAGE_BYTES = 1 + FIXED_BYTES + MAX_NOTICE_LABEL_BYTES;

const encoder = new TextEncoder();

/**
 * @param message a whole message without its length prefix
 * @returns a sentence if the message is malformed
 */
export function decodeSnapshotNotice(message: Uint8Array): SnapshotNotice | string {
  const reader = new ByteReader(message);
  const selector = reader.u8();
  if (selector !== SELECTOR_SNAPSHOT) return `Unknown request ${selector ?? '(empty message)'}.`;
  const snapshotId = reader.u64();
  const offset = reader.u32();
  if (snapshotId === undefined || offset === undefined) return 'The snapshot request is too short.';
  if (offset !== FIXED_BYTES) return `The label's offset is ${offset}, expected ${FIXED_BYTES}.`;
  // `!`: the reader has this many bytes left.
  const label = reader.bytes(reader.remaining)!;
  try {
    return { snapshotId, label: new TextDecoder('utf-8', { fatal: true }).decode(label) };
  } catch {
    return 'The label is not valid UTF-8.';
  }
}

export function encodeSnapshotReply(response: SnapshotReply): Uint8Array {
  const body = new ByteWriter();
  if (response.ok) {
    body.u8(SELECTOR_OK).u64(response.snapshotId).u64(response.anchorByte).u64(response.tsNs);
  } else {
    body.u8(SELECTOR_ERROR).bytes(encoder.encode(response.error));
  }
  return new ByteWriter().u32(body.length).bytes(body.toBytes()).toBytes();
}
