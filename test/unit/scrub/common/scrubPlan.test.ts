import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { ByteWriter } from '../../../../src/base/bytes.ts';
import { decodeSegment, encodeRecord } from '../../../../src/recording/format/segment.ts';
import { planScrub, type ScrubPlan } from '../../../../src/scrub/common/scrubPlan.ts';
import { SegmentScrub } from '../../../../src/scrub/common/segmentScrub.ts';
import { Random } from '../../../support/random.ts';

const SECRET = 'abcabd-ü-abcabd';

/** Output in pieces of any length. */
function pieces(text: string, nextLength: () => number, kind: 'data' | 'input'): AhrRecord[] {
  const bytes = new TextEncoder().encode(text);
  const records: AhrRecord[] = [];
  for (let at = 0; at < bytes.length;) {
    const part = bytes.slice(at, at + nextLength());
    records.push(
      kind === 'data'
        ? { kind, tsNs: BigInt(at), startByteOffset: at, bytes: part }
        : { kind, tsNs: BigInt(at), bytes: part },
    );
    at += part.length;
  }
  return records;
}

async function* stream(records: readonly AhrRecord[]): AsyncGenerator<AhrRecord> {
  await Promise.resolve();
  yield* records;
}

/** The records after a scrub of their segment. */
function scrubbedRecords(
  records: readonly AhrRecord[],
  plan: ScrubPlan,
  text: string,
): readonly AhrRecord[] {
  const segment = new ByteWriter();
  for (const record of records) encodeRecord(segment, record);
  const bytes = segment.toBytes();
  new SegmentScrub(plan, text).fill(bytes);
  return decodeSegment(bytes).records;
}

async function scrubbed(records: readonly AhrRecord[]): Promise<string> {
  const plan = await planScrub(stream(records), SECRET);
  const parts: Uint8Array[] = [];
  for (const record of scrubbedRecords(records, plan, SECRET)) {
    if ('bytes' in record) parts.push(record.bytes);
  }
  return Buffer.concat(parts).toString('latin1');
}

const starred = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(Buffer.from(SECRET).toString('latin1'), '*'.repeat(16));

describe('scrubbing a recording', () => {
  const random = new Random(7);
  const anyLength = () => 1 + random.below(9);

  it('finds the text across pieces, and overlapping itself', async () => {
    const text = `x${SECRET}y ab${SECRET}${SECRET} abcabd end`;
    for (let run = 0; run < 50; run++) {
      assert.equal(await scrubbed(pieces(text, anyLength, 'data')), starred(text));
      assert.equal(await scrubbed(pieces(text, anyLength, 'input')), starred(text));
    }
  });

  it('finds it between colours, cursor moves and line ends, and keeps those', async () => {
    const letters = [...SECRET];
    const between = ['', '\u001b[31m', '\u001b[0;1m', '\u001b]0;title\u0007', '\r\n', '\u001b(B'];
    const text = letters.map((letter) => random.pick(between) + letter).join('');
    const result = await scrubbed(pieces(`start ${text} end`, anyLength, 'data'));
    const plain = result
      .replace(/\u001b\][^\u0007]*\u0007|\u001b\[[\d;]*m|\u001b\(B/g, '')
      .replace(/[\r\n]/g, '');
    assert.equal(plain, `start ${'*'.repeat(16)} end`);
    for (const each of between) if (text.includes(each)) assert.ok(result.includes(each));
  });

  it('finds it in a title', async () => {
    const text = `\u001b]0;my ${SECRET}\u0007rest`;
    assert.equal(await scrubbed(pieces(text, anyLength, 'data')), starred(text));
  });

  it('changes nothing else, and only the text in labels of snapshots', async () => {
    const snapshot = { kind: 'snapshot', tsNs: 1n, snapshotId: 1n, anchorByte: 0 } as const;
    const records: AhrRecord[] = [
      { kind: 'resize', tsNs: 0n, cols: 80, rows: 24 },
      { ...snapshot, label: `with ${SECRET}` },
      { kind: 'mark', tsNs: 2n, code: 1, value: 0 },
    ];
    const plan = await planScrub(stream(records), SECRET);
    const result: AhrRecord[] = [];
    for (const record of scrubbedRecords(records, plan, SECRET)) result.push(record);
    assert.deepEqual(result, [
      records[0],
      { ...snapshot, label: `with ${'*'.repeat(Buffer.byteLength(SECRET))}` },
      records[2],
    ]);
  });

  const PLAIN = 'correct-horse battery 42';
  async function withoutPlain(text: string, kind: 'data' | 'input' = 'data'): Promise<string> {
    const records = pieces(text, anyLength, kind);
    const plan = await planScrub(stream(records), PLAIN);
    const parts: Uint8Array[] = [];
    for (const record of scrubbedRecords(records, plan, PLAIN)) {
      if ('bytes' in record) parts.push(record.bytes);
    }
    return Buffer.concat(parts).toString();
  }

  it('finds it in wrapped lines with blanks and a frame', async () => {
    for (const [start, end] of [
      ['', ''],
      ['    ', '  '],
      ['│ ', '   │'],
      ['| \u001b[2m', '\u001b[0m |'],
    ] as const) {
      const cut = `${start}x correct-ho${end}\r\n${start}rse battery 42 y${end}`;
      for (const wrapped of [cut, `${start}x correct-horse${end}\r\n${start}battery 42 y${end}`]) {
        const safe = await withoutPlain(wrapped);
        assert.doesNotMatch(safe, /correct|rse|battery|42/);
        assert.equal(
          safe.replaceAll(/[* ]/g, ''),
          wrapped.replaceAll(/correct-horse|correct-ho|rse|battery|42| /g, ''),
        );
        assert.equal(safe.length, wrapped.length);
      }
    }
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      const framed = `│ correct-ho │${lineEnd}│ rse battery 42 │`;
      assert.doesNotMatch(await withoutPlain(framed), /correct|rse|battery|42/);
    }
    const harmless = 'correct-ho rse battery 42, correct-horse | batt';
    assert.equal(await withoutPlain(harmless), harmless);
  });

  it('finds it in clipboard contents, and between cursor keys', async () => {
    for (const end of ['\u0007', '\u001b\\']) {
      const copied = (words: string) => `a\u001b]52;c;${btoa(words)}${end}b`;
      const stars = '*'.repeat(btoa(`my ${PLAIN}!`).length);
      assert.equal(await withoutPlain(copied(`my ${PLAIN}!`)), `a\u001b]52;c;${stars}${end}b`);
      assert.equal(await withoutPlain(copied('other words')), copied('other words'));
    }
    const typed = `\u001b[200~${PLAIN.slice(0, 9)}\u001b[D\u001b[C${PLAIN.slice(9)}\u001b[201~`;
    assert.doesNotMatch(await withoutPlain(typed, 'input'), /battery/);
  });

  it('finds it after an unfinished title', async () => {
    const letters = [...PLAIN].map((letter) => `\u001b[1m${letter}`).join('');
    assert.doesNotMatch(await withoutPlain(`\u001b]0;title ${letters}`), /m[a-z]/);
  });

  it('counts each place once, also when found in several ways', async () => {
    const matchesIn = async (text: string, kind: 'data' | 'input'): Promise<number> =>
      (await planScrub(stream(pieces(text, anyLength, kind)), PLAIN)).matches;
    for (const kind of ['data', 'input'] as const) {
      assert.equal(await matchesIn(`${PLAIN} x ${PLAIN}`, kind), 2);
      assert.equal(await matchesIn('nothing', kind), 0);
    }
    assert.equal(await matchesIn(`${PLAIN.slice(0, 13)}\r\n${PLAIN.slice(14)}`, 'data'), 1);
    const overlapping = await planScrub(stream(pieces('ababab', anyLength, 'data')), 'abab');
    assert.equal(overlapping.matches, 2);
  });

  it('finds a text with several lines in output and input', async () => {
    const lines = 'first line\nsecond';
    for (const kind of ['data', 'input'] as const) {
      for (const text of [`x${lines}y`, 'xfirst line\r\nsecondy', 'xfirst line\rsecondy']) {
        const { matches } = await planScrub(stream(pieces(text, anyLength, kind)), lines);
        assert.equal(matches, 1, JSON.stringify([kind, text]));
      }
    }
  });

  it('finds a text in a typed sequence', async () => {
    const typed = `\u001b]0;${PLAIN}\u0007`;
    assert.doesNotMatch(await withoutPlain(typed, 'input'), /battery/);
    const lines = '\u001b]0;first line\rsecond\u0007';
    const plan = await planScrub(stream(pieces(lines, anyLength, 'input')), 'first line\nsecond');
    assert.equal(plan.matches, 1);
  });

  it('keeps output and input apart', async () => {
    const typed = (text: string): AhrRecord => ({
      kind: 'input',
      tsNs: 0n,
      bytes: Buffer.from(text),
    });
    const printed = (startByteOffset: number, text: string): AhrRecord => ({
      kind: 'data',
      tsNs: 0n,
      startByteOffset,
      bytes: Buffer.from(text),
    });
    const half = PLAIN.slice(0, 7);
    const rest = PLAIN.slice(7);
    const records = [
      typed('some keys '),
      printed(0, half),
      typed(half),
      printed(7, 'other'),
      typed(rest),
      printed(12, PLAIN),
      typed(' end'),
    ];
    const plan = await planScrub(stream(records), PLAIN);
    const result: string[] = [];
    for (const record of scrubbedRecords(records, plan, PLAIN)) {
      if ('bytes' in record) result.push(Buffer.from(record.bytes).toString());
    }
    const stars = '*'.repeat(24);
    assert.deepEqual(result, [
      'some keys ',
      half,
      stars.slice(0, 7),
      'other',
      stars.slice(7),
      stars,
      ' end',
    ]);
    assert.equal(plan.matches, 2);
  });
});
