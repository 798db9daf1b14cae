import { ByteReader, ByteWriter } from '../../../src/base/bytes.ts';

/** The recorder's reply to a snapshot notice. */
export type SnapshotReply =
  | { readonly ok: true; readonly id: bigint; readonly anchorByte: bigint; readonly tsNs: bigint }
  | { readonly ok: false; readonly error: string };

const SNAPSHOT_REQUEST = 0;
const REPLY_SUCCESS = 0;
const REPLY_FAILURE = 1;
/** The length of the fixed part (u64 ID and u32 offset), after which the label starts. */
const LABEL_OFFSET = 12;

/** A length-prefixed SSZ union: the request for a snapshot. */
export function encodeSnapshotNotice(id: bigint, label: string): Uint8Array {
  const labelBytes = new TextEncoder().encode(label);
  return new ByteWriter()
    .u32(1 + LABEL_OFFSET + labelBytes.length)
    .u8(SNAPSHOT_REQUEST)
    .u64(id)
    .u32(LABEL_OFFSET)
    .bytes(labelBytes)
    .toBytes();
}

/** The reply in `received`, its length prefix included; `undefined` while it is incomplete. */
export function decodeSnapshotReply(received: Uint8Array): SnapshotReply | undefined {
  const reader = new ByteReader(received);
  const length = reader.u32();
  const body = length === undefined ? undefined : reader.bytes(length);
  if (!body) return undefined;
  const fields = new ByteReader(body);
  const selector = fields.u8();
  if (selector === REPLY_FAILURE) {
    return { ok: false, error: new TextDecoder().decode(body.subarray(1)) };
  }
  const [id, anchorByte, tsNs] = [fields.u64(), fields.u64(), fields.u64()];
  if (selector !== REPLY_SUCCESS || tsNs === undefined) {
    return { ok: false, error: 'the recorder sent an answer that makes no sense' };
  }
  return { ok: true, id: id ?? 0n, anchorByte: anchorByte ?? 0n, tsNs };
}
