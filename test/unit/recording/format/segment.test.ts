import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteWriter } from '../../../../src/base/bytes.ts';
import { checkRecord } from '../../../../src/recording/write/checkRecord.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { decodeSegment, encodeRecord } from '../../../../src/recording/format/segment.ts';
import { arbitraryRecords, oneOfEach, plain } from '../../../support/recording/recordings.ts';

function encode(records: readonly AhrRecord[]): Uint8Array {
  const segment = new ByteWriter();
  for (const record of records) encodeRecord(segment, record);
  return segment.toBytes();
}

describe('records segment', () => {
  it('restores every kind of record', () => {
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

  it('yields the complete records before a cut at any byte, and a fault', () => {
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

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { records, fault } = decodeSegment(bytes);
        assert.ok(fault !== undefined || encode(records).length === bytes.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('reports unknown tags and offsets beyond 2^53', () => {
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
    for (const at of [1, 2, 3]) {
      const segment = encode(oneOfEach());
      segment[at] = 1;
      const { hasPadding, records } = decodeSegment(segment);
      assert.equal(hasPadding, true, `byte ${at}`);
      assert.equal(records.length, 6);
    }
  });

  it('reports padding of the records before a fault', () => {
    const segment = encode(oneOfEach());
    segment[2] = 1;
    const cut = decodeSegment(segment.subarray(0, -1));
    assert.deepEqual([cut.hasPadding, cut.records.length], [true, 5]);
  });

  it('accepts the largest offsets that a number can hold', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const records: AhrRecord[] = [
      { kind: 'data', tsNs: 0n, startByteOffset: max, bytes: new Uint8Array(0) },
      { kind: 'snapshot', tsNs: 0n, snapshotId: 0n, anchorByte: max, label: '' },
    ];
    const segment = encode(records);
    assert.deepEqual(plain(decodeSegment(segment).records), records);
    new DataView(segment.buffer).setBigUint64(12, 2n ** 53n, true);
    assert.equal(
      decodeSegment(segment).fault,
      'record 1, at byte 0, has a byte offset beyond 2^53',
    );
    new DataView(segment.buffer).setBigUint64(12, 0n, true);
    new DataView(segment.buffer).setBigUint64(24 + 20, 2n ** 53n, true);
    assert.equal(decodeSegment(segment).fault, 'record 2, at byte 24, has an anchor beyond 2^53');
  });

  it('reports a record that is cut inside of its tag and padding', () => {
    for (const length of [1, 2, 3]) {
      const { fault } = decodeSegment(encode(oneOfEach()).subarray(0, length));
      assert.equal(fault, 'record 1, at byte 0, is cut short');
    }
  });

  it('keeps a byte order mark, and cuts a long label between characters', () => {
    const label = (text: string): string => {
      const base = { kind: 'snapshot', tsNs: 0n, snapshotId: 0n, anchorByte: 0 } as const;
      const [record] = decodeSegment(encode([{ ...base, label: text }])).records;
      assert.ok(record?.kind === 'snapshot');
      return record.label;
    };
    assert.equal(label('\ufeffx'), '\ufeffx');
    assert.equal(label('x'.repeat(65_535)), 'x'.repeat(65_535));
    assert.equal(label('x'.repeat(65_536)), 'x'.repeat(65_535));
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
      { ...resize, cols: -1 },
      { ...resize, rows: 65_536 },
      { ...mark, code: 2 ** 32 },
      { ...mark, code: -1 },
      { ...mark, value: NaN },
      { ...mark, value: 2 ** 32 },
      { ...snapshot, snapshotId: 1n << 64n },
      { ...snapshot, snapshotId: -1n },
      { ...snapshot, anchorByte: 2 ** 53 },
      { ...snapshot, anchorByte: -1 },
      { ...data, startByteOffset: -1 },
      { ...data, startByteOffset: 2 ** 53 },
      { ...data, bytes: new Uint8Array(16 * 1024 * 1024) },
      { kind: 'input', tsNs: 0n, bytes: new Uint8Array(16 * 1024 * 1024) },
    ];
    for (const record of wrong) assert.throws(() => checkRecord(record), RangeError);
    for (const record of [resize, mark, snapshot, data]) checkRecord(record);
  });

  it('accepts the largest numbers that fit', () => {
    const tsNs = 0xffff_ffff_ffff_ffffn;
    const bytes = new Uint8Array(16 * 1024 * 1024 - 24);
    const anchorByte = Number.MAX_SAFE_INTEGER;
    const largest: AhrRecord[] = [
      { kind: 'data', tsNs, startByteOffset: Number.MAX_SAFE_INTEGER, bytes },
      { kind: 'resize', tsNs, cols: 65_535, rows: 65_535 },
      { kind: 'input', tsNs, bytes },
      { kind: 'mark', tsNs, code: 2 ** 32 - 1, value: 2 ** 32 - 1 },
      { kind: 'snapshot', tsNs, snapshotId: tsNs, anchorByte, label: '' },
    ];
    for (const record of largest) checkRecord(record);
    const tooLong = new Uint8Array(bytes.length + 1);
    for (const record of [largest[0], largest[2]]) {
      assert.ok(record && 'bytes' in record);
      assert.throws(() => checkRecord({ ...record, bytes: tooLong }), RangeError);
    }
  });

  it('names the field and its value', () => {
    const names = (record: AhrRecord, message: string): void =>
      assert.throws(() => checkRecord(record), { name: 'RangeError', message });
    const resize = { kind: 'resize', tsNs: 0n, cols: 80, rows: 24 } as const;
    names({ ...resize, tsNs: -1n }, 'tsNs of a record is out of range: -1');
    names({ ...resize, cols: 70_000 }, 'cols of a record is out of range: 70000');
    names({ ...resize, rows: 1.5 }, 'rows of a record is out of range: 1.5');
    const mark = { kind: 'mark', tsNs: 0n, code: 1, value: 0 } as const;
    names({ ...mark, code: -1 }, 'code of a record is out of range: -1');
    names({ ...mark, value: -1 }, 'value of a record is out of range: -1');
    const snapshot = { kind: 'snapshot', tsNs: 0n, snapshotId: 0n, anchorByte: 0 } as const;
    const label = '';
    names({ ...snapshot, label, snapshotId: -1n }, 'snapshotId of a record is out of range: -1');
    names({ ...snapshot, label, anchorByte: -1 }, 'anchorByte of a record is out of range: -1');
    const bytes = new Uint8Array(16 * 1024 * 1024);
    const length = 'length of a record is out of range: 16777216';
    names({ kind: 'data', tsNs: 0n, startByteOffset: 0, bytes }, length);
    names({ kind: 'input', tsNs: 0n, bytes }, length);
    const offset = 'startByteOffset of a record is out of range: -1';
    names({ kind: 'data', tsNs: 0n, startByteOffset: -1, bytes: new Uint8Array(0) }, offset);
  });
});
