import assert from 'node:assert/strict';
import {
  decodeSnapshotLines,
  encodeSnapshotLine,
  type SnapshotFiles,
  type SnapshotLine,
} from '../../../../src/snapshots/common/snapshotLine.ts';

const KEPT: SnapshotFiles = {
  state: 'kept',
  provider: 'git',
  ref: 'refs/ah/x',
  stats: { files: 3, changed: 1 },
  omissions: [{ path: 'node_modules', reason: 'ignored' }],
};

function line(id: bigint, files: SnapshotFiles): SnapshotLine {
  return {
    id,
    tsNs: 1_794_800_000_123_456_789n,
    label: 'after "edit"\n',
    kind: 'auto',
    anchorByte: 42,
    trigger: 'tool',
    files,
  };
}

describe('the lines of session.snapshots.jsonl', () => {
  it('survive encoding and decoding, nanoseconds included', () => {
    const states: SnapshotFiles[] = [
      KEPT,
      { ...KEPT, isLate: true },
      { ...KEPT, isUnverified: true },
      { state: 'pending' },
      { state: 'failed', reason: 'The disk is full.' },
      { state: 'removed' },
      { state: 'elsewhere' },
    ];
    const lines = states.map((files, index) => line(BigInt(index), files));
    const text = lines.map((each) => `${encodeSnapshotLine(each)}\n`).join('');
    assert.equal(text.split('\n').length, lines.length + 1);
    assert.deepEqual(decodeSnapshotLines(text), lines);
  });

  it('start with the fields of the format', () => {
    assert.match(
      encodeSnapshotLine(line(7n, { state: 'elsewhere' })),
      /^\{"id":7,"ts_ns":1794800000123456789,"label":"after \\"edit\\"\\n","kind":"auto","anchor_byte":42/,
    );
  });

  it('replace earlier lines of the same snapshot', () => {
    const text = [line(1n, { state: 'pending' }), line(2n, KEPT), line(1n, KEPT)]
      .map((each) => `${encodeSnapshotLine(each)}\n`)
      .join('');
    assert.deepEqual(
      decodeSnapshotLines(text).map(({ id, files }) => [id, files.state]),
      [
        [1n, 'kept'],
        [2n, 'kept'],
      ],
    );
  });

  it("don't revive a removed snapshot", () => {
    const text = [line(1n, KEPT), line(1n, { state: 'removed' }), line(1n, KEPT)]
      .map((each) => `${encodeSnapshotLine(each)}\n`)
      .join('');
    assert.deepEqual(decodeSnapshotLines(text), [line(1n, { state: 'removed' })]);
  });

  it('are skipped if they are torn, damaged or of another kind', () => {
    const good = encodeSnapshotLine(line(1n, KEPT));
    for (let cut = 0; cut < good.length; cut++)
      assert.deepEqual(decodeSnapshotLines(good.slice(0, cut)), [], `cut at ${cut}`);
    const text = ['[]', 'null', '{"id":"1"}', '{"id":1,"ts_ns":2}', good].join('\n');
    assert.deepEqual(decodeSnapshotLines(text), [line(1n, KEPT)]);
  });

  it('of other tools with fewer fields are understood', () => {
    const text = '{"id":9,"ts_ns":5,"label":"x","kind":"auto","anchor_byte":0}';
    const [found] = decodeSnapshotLines(text);
    assert.deepEqual(found?.files, { state: 'elsewhere' });
    assert.equal(found?.trigger, 'notified');
  });
});
