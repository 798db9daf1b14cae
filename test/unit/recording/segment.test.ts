import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteWriter } from '../../../src/base/bytes.ts';
import { checkRecord } from '../../../src/recording/checkRecord.ts';
import type { AhrRecord } from '../../../src/recording/records.ts';
import { decodeSegment, encodeRecord } from '../../../src/recording/segment.ts';
import { arbitraryRecords, oneOfEach, plain } from '../../support/recordings.ts';

function encode(records: readonly AhrRecord[]): Uint8Array {
  const segment = new ByteWriter();
  for (const record of records) encodeRecord(segment, record);
  return segment.toBytes();
}

describe('records segment', () => {
  it('gives every kind of record back as it was', () => {
    fc.assert(
      fc.property(arbitraryRecords, (records) => {
        for (const record of records) checkRecord(record);
        const decoded = decodeSegment(encode(records));
        assert.equal(decoded.fault, undefined);
        assert.equal(decoded.hasPadding, false);
        assert.deepEqual(plain(decoded.records), plain(records));
      }),
    );
  });

  it('has the lengths of the specification', () => {
    const lengths = oneOfEach().map((record) => encode([record]).length);
    assert.deepEqual(lengths, [16, 24 + 13, 16 + 2, 30 + 12, 24 + 5, 20]);
  });

  it('cut at any byte, yields the whole records before the cut and a fault', () => {
    const records = oneOfEach();
    const segment = encode(records);
    const ends = records.map((_, index) => encode(records.slice(0, index + 1)).length);
    for (let length = 0; length < segment.length; length++) {
      const decoded = decodeSegment(segment.subarray(0, length));
      const whole = ends.filter((end) => end <= length).length;
      assert.deepEqual(plain(decoded.records), plain(records.slice(0, whole)), `${length} bytes`);
      assert.equal(decoded.fault === undefined, length === 0 || ends.includes(length));
    }
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { records, fault } = decodeSegment(bytes);
        assert.ok(fault !== undefined || encode(records).length === bytes.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('names an unknown tag, and offsets beyond what a number can hold', () => {
    const [, data, , snapshot] = oneOfEach();
    assert.ok(data && snapshot);
    const unknown = encode([data]);
    unknown[0] = 5;
    assert.match(decodeSegment(unknown).fault ?? '', /record 1, at byte 0, has the unknown tag 5/);
    const offset = encode([data]);
    offset[18] = 0x20;
    assert.match(decodeSegment(offset).fault ?? '', /byte offset beyond 2\^53/);
    const anchor = encode([snapshot]);
    anchor[26] = 0x20;
    assert.match(decodeSegment(anchor).fault ?? '', /anchor beyond 2\^53/);
  });

  it('does not trust a length beyond the segment', () => {
    const [, data] = oneOfEach();
    assert.ok(data);
    const segment = encode([data, data]);
    new DataView(segment.buffer).setUint32(37 + 20, 0xffffffff, true);
    const { records, fault } = decodeSegment(segment);
    assert.equal(records.length, 1);
    assert.match(fault ?? '', /record 2, at byte 37, is cut short/);
  });

  it('notices padding that is not zero', () => {
    const segment = encode(oneOfEach());
    segment[2] = 1;
    const { hasPadding, records } = decodeSegment(segment);
    assert.equal(hasPadding, true);
    assert.equal(records.length, 6);
  });

  it('keeps a byte order mark, and cuts a label too long at a character', () => {
    const label = (text: string): string => {
      const base = { kind: 'snapshot', tsNs: 0n, snapshotId: 0n, anchorByte: 0 } as const;
      const [record] = decodeSegment(encode([{ ...base, label: text }])).records;
      assert.ok(record?.kind === 'snapshot');
      return record.label;
    };
    assert.equal(label('\ufeffx'), '\ufeffx');
    assert.equal(label('x'.repeat(70_000)), 'x'.repeat(65_535));
    assert.equal(label('é'.repeat(40_000)), 'é'.repeat(32_767));
    assert.equal(label('x' + '😀'.repeat(20_000)), 'x' + '😀'.repeat(16_383));
  });
});

describe('checkRecord', () => {
  it('refuses numbers that do not fit their field', () => {
    const resize = { kind: 'resize', tsNs: 0n, cols: 80, rows: 24 } as const;
    const mark = { kind: 'mark', tsNs: 0n, code: 1, value: 0 } as const;
    const snapshot = {
      kind: 'snapshot',
      tsNs: 0n,
      snapshotId: 0n,
      anchorByte: 0,
      label: '',
    } as const;
    const data = { kind: 'data', tsNs: 0n, startByteOffset: 0, bytes: new Uint8Array(0) } as const;
    const wrong: AhrRecord[] = [
      { ...resize, cols: 65_536 },
      { ...resize, rows: -1 },
      { ...resize, rows: 1.5 },
      { ...resize, tsNs: -1n },
      { ...resize, tsNs: 1n << 64n },
      { ...mark, code: 2 ** 32 },
      { ...mark, value: NaN },
      { ...snapshot, snapshotId: 1n << 64n },
      { ...snapshot, anchorByte: 2 ** 53 },
      { ...data, startByteOffset: 2 ** 53 },
      { ...data, bytes: new Uint8Array(16 * 1024 * 1024) },
      { kind: 'input', tsNs: 0n, bytes: new Uint8Array(16 * 1024 * 1024) },
    ];
    for (const record of wrong) assert.throws(() => checkRecord(record), RangeError);
    for (const record of [resize, mark, snapshot, data]) checkRecord(record);
  });
});
