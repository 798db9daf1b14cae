import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseExactJson } from '../../../../src/base/exactJson.ts';
import {
  branchPoints,
  snapshotMoment,
  type BranchPoint,
  type BranchPointBatches,
  type SnapshotMoment,
} from '../../../../src/terminal/branchPoints/branchPoints.ts';
import { branchPointsCsv } from '../../../../src/terminal/branchPoints/branchPointsCsv.ts';
import { branchPointsJson } from '../../../../src/terminal/branchPoints/branchPointsJson.ts';
import { branchPointsMarkdown } from '../../../../src/terminal/branchPoints/branchPointsMarkdown.ts';
import { finalLines, type FinalLineBatches } from '../../../../src/terminal/lines/finalLines.ts';
import { assertGolden } from '../../../support/terminal/golden.ts';
import { RecordList, recordsOf } from '../../../support/recording/recordList.ts';

const FORMATS = { md: branchPointsMarkdown, json: branchPointsJson, csv: branchPointsCsv };

function moment(id: number | bigint, anchorByte: number, label = `s${id}`): SnapshotMoment {
  return {
    id: BigInt(id),
    anchorByte,
    label,
    tsNs: 1_710_000_000_001_000_007n + BigInt(anchorByte),
  };
}

/** Lines whose positions are given, two per batch. */
async function* linesAt(...positions: readonly number[]): FinalLineBatches {
  for (let start = 0; start < positions.length; start += 2) {
    yield await Promise.resolve(
      positions.slice(start, start + 2).map((lastWriteByte, offset) => {
        const index = start + offset;
        return { index, text: `line ${index}`, lastWriteByte, styled: undefined };
      }),
    );
  }
  return { totalBytes: 1000 };
}

async function all(batches: BranchPointBatches): Promise<BranchPoint[]> {
  const points: BranchPoint[] = [];
  for await (const batch of batches) points.push(...batch);
  return points;
}

async function order(
  positions: readonly number[],
  moments: readonly SnapshotMoment[],
): Promise<string[]> {
  const points = await all(branchPoints(linesAt(...positions), moments));
  return points.map((point) => (point.kind === 'line' ? String(point.index) : point.label));
}

async function text(strings: AsyncIterable<string>): Promise<string> {
  let result = '';
  for await (const part of strings) result += part;
  return result;
}

describe('branch points', () => {
  it('stand before the first line written after them', async () => {
    assert.deepEqual(await order([10, 20, 30], [moment(1, 0), moment(2, 15), moment(3, 40)]), [
      's1',
      '0',
      's2',
      '1',
      '2',
      's3',
    ]);
  });

  it('come after a line written up to their very byte', async () => {
    assert.deepEqual(await order([10, 20, 20, 30], [moment(1, 20)]), ['0', '1', '2', 's1', '3']);
  });

  it('keep their order at the same byte, and are put in order otherwise', async () => {
    const moments = [moment(9, 20), moment(3, 5), moment(7, 20), moment(8, 20)];
    assert.deepEqual(await order([10, 30], moments), ['s3', '0', 's9', 's7', 's8', '1']);
  });

  it('leave lines as they are on the screen, whenever each was written', async () => {
    assert.deepEqual(await order([100, 10, 20, 5, 200], [moment(1, 15), moment(2, 150)]), [
      's1',
      '0',
      '1',
      '2',
      '3',
      's2',
      '4',
    ]);
  });

  it('are complete without lines, and empty without snapshots', async () => {
    assert.deepEqual(await order([], [moment(2, 7), moment(1, 0)]), ['s1', 's2']);
    assert.deepEqual(await order([1, 2], []), ['0', '1']);
  });

  it('are a merge that loses nothing and keeps both orders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50)), fc.array(fc.nat(50)), async (positions, anchors) => {
        const moments = anchors.map((anchor, index) => moment(index, anchor));
        const points = await all(branchPoints(linesAt(...positions), moments));
        const lines = points.flatMap((point) => (point.kind === 'line' ? [point.index] : []));
        assert.deepEqual(
          lines,
          positions.map((_, index) => index),
        );
        const snapshots = points.flatMap((point) => (point.kind === 'snapshot' ? [point] : []));
        const sorted = [...moments].sort(
          (a, b) => a.anchorByte - b.anchorByte || Number(a.id - b.id),
        );
        assert.deepEqual(
          snapshots.map((point) => point.id),
          sorted.map((point) => point.id),
        );
        let highest = -1;
        for (const point of points) {
          if (point.kind === 'line') highest = Math.max(highest, point.lastWriteByte);
          else
            assert.ok(
              point.anchorByte >= highest,
              'a snapshot stands behind a line written after it',
            );
        }
      }),
    );
  });

  it('are made from the records of a recording', () => {
    const record = {
      kind: 'snapshot',
      tsNs: 5n,
      snapshotId: 2n ** 63n,
      anchorByte: 12,
      label: 'x',
    } as const;
    assert.deepEqual(snapshotMoment(record), {
      id: 2n ** 63n,
      anchorByte: 12,
      label: 'x',
      tsNs: 5n,
    });
  });
});

describe('the branch points report', () => {
  const session = [
    'plain\r\n',
    '| pipes \\| and `ticks` ``\r\n  indented, "quoted"\r\n\r\n',
    '\x1b[32mgreen\x1b[m <b>&amp;</b> *star* _under_ # [x](y)\r\n漢字 🙂 e\u0301\r\n',
    'progress 10%\rprogress 99%\r\n`',
  ];
  const moments = [
    moment(45, 7, 'post-tool'),
    moment(46, 7, ''),
    moment(18_446_744_073_709_551_615n, 60, 'a "label", with | pipes, *stars* and\nlines'),
    moment(3, 5000, '<b>after</b>'),
  ];
  const report = (format: keyof typeof FORMATS): Promise<string> => {
    const lines = finalLines({
      source: new RecordList(recordsOf(...session)),
      size: { cols: 60, rows: 4 },
    });
    return text(FORMATS[format](branchPoints(lines, moments)));
  };

  for (const format of ['md', 'json', 'csv'] as const) {
    it(`equals its golden file: ${format}`, async () => {
      assertGolden(`branchPoints.${format}`, await report(format));
    });
  }

  it('is a table that a terminal does not act on', async () => {
    const label = 'a\x1b]52;c;eA==\x07b\x9b6n';
    const lines = finalLines({ source: new RecordList([]), size: { cols: 60, rows: 4 } });
    const table = await text(FORMATS.md(branchPoints(lines, [moment(1, 1, label)])));
    assert.match(table, /\*\*ab 6n\*\*/);
  });

  it('is JSON whose numbers survive', async () => {
    const parsed = parseExactJson(await report('json')) as unknown as {
      items: Record<string, unknown>[];
      total_bytes: number;
    };
    assert.equal(parsed.total_bytes, Buffer.byteLength(session.join('')));
    assert.deepEqual(parsed.items[0], {
      kind: 'line',
      index: 0,
      last_write_byte: 7,
      text: 'plain',
    });
    const snapshots = parsed.items.filter((item) => item['kind'] === 'snapshot');
    assert.deepEqual(
      snapshots.map((item) => [
        BigInt(item['id'] as number),
        item['anchor_byte'],
        item['label'],
        item['ts_ns'],
      ]),
      moments.map(({ id, anchorByte, label, tsNs }) => [id, anchorByte, label, tsNs]),
    );
  });

  it('is CSV that a reader can parse', async () => {
    const rows = parseCsv(await report('csv'));
    assert.ok(rows.every((row) => row.length === 5));
    assert.deepEqual(rows[0], ['kind', 'id', 'position', 'ts_ns', 'text']);
    assert.deepEqual(rows[1], ['line', '0', '7', '', 'plain']);
    assert.deepEqual(
      rows.filter(([kind]) => kind === 'snapshot').map((row) => row[4]),
      moments.map(({ label }) => label),
    );
    assert.ok(rows.some((row) => row[4] === '  indented, "quoted"'));
  });

  it('is a table in which every row has three cells', async () => {
    for (const row of (await report('md')).trimEnd().split('\n')) {
      // A pipe ends a cell unless an odd number of backslashes is before it.
      const ends = [...row.matchAll(/(\\*)\|/g)].filter(([, slashes]) => slashes!.length % 2 === 0);
      assert.equal(ends.length, 4, row);
    }
  });

  it('is well formed when there is nothing to report', async () => {
    const nothing = (): BranchPointBatches => branchPoints(linesAt(), []);
    assert.equal(await text(branchPointsJson(nothing())), '{"items":[\n],"total_bytes":1000}\n');
    assert.equal(await text(branchPointsCsv(nothing())), 'kind,id,position,ts_ns,text\n');
    assert.equal((await text(branchPointsMarkdown(nothing()))).split('\n').length, 3);
  });
});

function parseCsv(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    if (end === '' && quoted === undefined && bare === '') break;
    rows.at(-1)!.push(quoted === undefined ? bare! : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
