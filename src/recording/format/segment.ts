import { ByteReader, type ByteWriter } from '../../base/bytes.ts';
import {
  MAX_LABEL_BYTES,
  TAG_DATA,
  TAG_INPUT,
  TAG_MARK,
  TAG_RESIZE,
  TAG_SNAPSHOT,
} from './format.ts';
import type { AhrRecord } from './records.ts';

const TAGS = {
  data: TAG_DATA,
  resize: TAG_RESIZE,
  input: TAG_INPUT,
  mark: TAG_MARK,
  snapshot: TAG_SNAPSHOT,
} as const;

const textEncoder = new TextEncoder();

/** Appends a record to a segment. Its numbers must be in range: see `checkRecord`. */
export function encodeRecord(segment: ByteWriter, record: AhrRecord): void {
  segment.u8(TAGS[record.kind]).zeros(3).u64(record.tsNs);
  switch (record.kind) {
    case 'data':
      segment.u64(record.startByteOffset).u32(record.bytes.length).bytes(record.bytes);
      return;
    case 'resize':
      segment.u16(record.cols).u16(record.rows);
      return;
    case 'input':
      segment.u32(record.bytes.length).bytes(record.bytes);
      return;
    case 'mark':
      segment.u32(record.code).u32(record.value);
      return;
    case 'snapshot': {
      const label = encodeLabel(record.label);
      segment.u64(record.snapshotId).u64(record.anchorByte).u16(label.length).bytes(label);
      return;
    }
  }
}

/** UTF-8, cut between two characters if it is too long for its length field. */
function encodeLabel(label: string): Uint8Array {
  const bytes = textEncoder.encode(label);
  if (bytes.length <= MAX_LABEL_BYTES) return bytes;
  let end = MAX_LABEL_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

export interface DecodedSegment {
  /** Their bytes are views of the segment, not copies. */
  readonly records: AhrRecord[];
  /** Why the rest of the segment can't be read. */
  readonly fault?: string;
  /** Whether any padding byte is not zero. */
  readonly hasPadding: boolean;
}

// A byte order mark at the start of a label is kept like any other character.
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes the records of a segment up to the first invalid one. Never throws. */
export function decodeSegment(segment: Uint8Array): DecodedSegment {
  const reader = new ByteReader(segment);
  const records: AhrRecord[] = [];
  let hasPadding = false;
  while (reader.remaining > 0) {
    const at = reader.position;
    const tag = reader.u8();
    const pad = reader.bytes(3);
    const record = pad && decodeBody(reader, tag ?? -1);
    if (record === undefined || typeof record === 'string') {
      const fault = record ?? 'is cut short';
      return {
        records,
        hasPadding,
        fault: `record ${records.length + 1}, at byte ${at}, ${fault}`,
      };
    }
    hasPadding ||= pad?.some((byte) => byte !== 0) === true;
    records.push(record);
  }
  return { records, hasPadding };
}

/**
 * Decodes the part of a record after its tag and padding.
 * @returns undefined if the segment ends inside the record, a reason if the record is invalid
 */
function decodeBody(reader: ByteReader, tag: number): AhrRecord | string | undefined {
  const tsNs = reader.u64();
  if (tsNs === undefined) return undefined;
  switch (tag) {
    case TAG_DATA: {
      const startByteOffset = byteOffset(reader.u64());
      if (startByteOffset === 'too large') return 'has a byte offset beyond 2^53';
      const bytes = sizedBytes(reader, reader.u32());
      if (startByteOffset === undefined || !bytes) return undefined;
      return { kind: 'data', tsNs, startByteOffset, bytes };
    }
    case TAG_RESIZE: {
      const cols = reader.u16();
      const rows = reader.u16();
      if (cols === undefined || rows === undefined) return undefined;
      return { kind: 'resize', tsNs, cols, rows };
    }
    case TAG_INPUT: {
      const bytes = sizedBytes(reader, reader.u32());
      return bytes && { kind: 'input', tsNs, bytes };
    }
    case TAG_MARK: {
      const code = reader.u32();
      const value = reader.u32();
      if (code === undefined || value === undefined) return undefined;
      return { kind: 'mark', tsNs, code, value };
    }
    case TAG_SNAPSHOT: {
      const snapshotId = reader.u64();
      const anchorByte = byteOffset(reader.u64());
      if (anchorByte === 'too large') return 'has an anchor beyond 2^53';
      const label = sizedBytes(reader, reader.u16());
      if (snapshotId === undefined || anchorByte === undefined || !label) return undefined;
      return { kind: 'snapshot', tsNs, snapshotId, anchorByte, label: textDecoder.decode(label) };
    }
    default:
      return `has the unknown tag ${tag}`;
  }
}

function sizedBytes(reader: ByteReader, length: number | undefined): Uint8Array | undefined {
  return length === undefined ? undefined : reader.bytes(length);
}

/** Offsets fit into numbers: 2^53 bytes of output are nine petabytes. */
function byteOffset(value: bigint | undefined): number | 'too large' | undefined {
  if (value === undefined) return undefined;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? 'too large' : Number(value);
}
