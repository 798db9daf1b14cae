import fc from 'fast-check';
import type { AhrRecord } from '../../../src/recording/format/records.ts';
import { RecordingReader } from '../../../src/recording/read/reader.ts';
import { RecordingWriter, type WriterOptions } from '../../../src/recording/write/writer.ts';
import { FakeClock } from '../fakeClock.ts';
import { MemoryFile } from './memoryFile.ts';
import { syncBrotli } from './syncBrotli.ts';

const u64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
const u32 = fc.nat({ max: 0xffffffff });
const u16 = fc.nat({ max: 0xffff });
const bytes = fc.uint8Array({ maxLength: 300 });

/** Records of every kind, in an order that the format allows. */
export const arbitraryRecords: fc.Arbitrary<AhrRecord[]> = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constant('data' as const), tsNs: u64, bytes }),
      fc.record({ kind: fc.constant('resize' as const), tsNs: u64, cols: u16, rows: u16 }),
      fc.record({ kind: fc.constant('input' as const), tsNs: u64, bytes }),
      fc.record({ kind: fc.constant('mark' as const), tsNs: u64, code: u32, value: u32 }),
      fc.record({
        kind: fc.constant('snapshot' as const),
        tsNs: u64,
        snapshotId: u64,
        label: fc.string({ unit: 'grapheme', maxLength: 50 }),
      }),
    ),
    { maxLength: 40 },
  )
  .map((drafts) => {
    // fast-check's objects have no prototype, which a strict comparison rejects.
    let offset = 0;
    return drafts.map((draft): AhrRecord => {
      if (draft.kind === 'snapshot') return { ...draft, anchorByte: offset };
      if (draft.kind !== 'data') return { ...draft };
      const startByteOffset = offset;
      offset += draft.bytes.length;
      return { ...draft, startByteOffset };
    });
  });

/** One record of each kind, 13 + 5 bytes of output. */
export function oneOfEach(): AhrRecord[] {
  const tsNs = 1_760_000_000_123_456_789n;
  return [
    { kind: 'resize', tsNs, cols: 120, rows: 40 },
    { kind: 'data', tsNs: tsNs + 1n, startByteOffset: 0, bytes: Buffer.from('tool step 1\r\n') },
    { kind: 'input', tsNs: tsNs + 2n, bytes: Buffer.from('y\r') },
    { kind: 'snapshot', tsNs: tsNs + 3n, snapshotId: 7n, anchorByte: 13, label: 'before édit' },
    {
      kind: 'data',
      tsNs: tsNs + 4n,
      startByteOffset: 13,
      bytes: Buffer.from([0xff, 0xc3, 0, 27, 91]),
    },
    { kind: 'mark', tsNs: tsNs + 5n, code: 1, value: 130 },
  ];
}

/** Output of `length` bytes in records of at most `recordLength`, compressible like a terminal's. */
export function output(length: number, recordLength: number): AhrRecord[] {
  const records: AhrRecord[] = [];
  for (let at = 0; at < length; at += recordLength) {
    const text = `\x1b[${at % 40};1H\x1b[2Kstep ${at}: ${(at * 2654435761) % 97} files\r\n`;
    const bytes = Buffer.alloc(Math.min(recordLength, length - at), text);
    records.push({ kind: 'data', tsNs: 1_000_000_000n + BigInt(at), startByteOffset: at, bytes });
  }
  return records;
}

/** Writes a finished recording; `flushEvery` records make a block. */
export async function write(
  records: readonly AhrRecord[],
  flushEvery = Infinity,
  options: Partial<WriterOptions> = {},
): Promise<MemoryFile> {
  const sink = new MemoryFile();
  const writer = new RecordingWriter({
    sink,
    compressor: syncBrotli,
    clock: new FakeClock(),
    quality: 4,
    ...options,
  });
  for (const [index, record] of records.entries()) {
    writer.append(record);
    if ((index + 1) % flushEvery === 0) await writer.flush();
  }
  await writer.close();
  return sink;
}

/** Reads all readable records. */
export async function readAll(file: MemoryFile | Uint8Array): Promise<AhrRecord[]> {
  const source = file instanceof MemoryFile ? file : new MemoryFile(file);
  const reader = await RecordingReader.open(source, syncBrotli);
  const records: AhrRecord[] = [];
  for await (const record of reader.records()) records.push(record);
  return plain(records);
}

/** Converts bytes to a plain `Uint8Array`, for comparisons. */
export function plain(records: readonly AhrRecord[]): AhrRecord[] {
  return records.map((record) =>
    'bytes' in record ? { ...record, bytes: new Uint8Array(record.bytes) } : record,
  );
}
