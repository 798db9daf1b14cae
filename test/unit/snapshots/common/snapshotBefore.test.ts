import assert from 'node:assert/strict';
import { snapshotBefore, snapshotOfTool } from '../../../../src/snapshots/common/snapshotBefore.ts';
import type { SnapshotFiles, SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';

const KEPT: SnapshotFiles = {
  ...{ state: 'kept', provider: 'git', ref: 'r', stats: {}, omissions: [] },
};

function line(id: number, changes: Partial<SnapshotLine> = {}): SnapshotLine {
  return {
    ...{ id: BigInt(id), tsNs: BigInt(id * 100), label: `${id}`, kind: 'auto', anchorByte: 0 },
    ...{ trigger: 'tool', files: KEPT, ...changes },
  };
}

describe('what changed before a snapshot', () => {
  it('is what differs from the last one whose files were kept', () => {
    const failed = line(2, { files: { state: 'failed', reason: 'full' } });
    const lines = [line(1), failed, line(3), line(9), line(4)];
    assert.equal(snapshotBefore(lines, 3n)?.id, 1n);
    // In the order they came, whatever their numbers: others may give numbers too.
    assert.equal(snapshotBefore(lines, 4n)?.id, 9n);
    assert.equal(snapshotBefore(lines, 1n), undefined);
    assert.equal(snapshotBefore(lines, 77n), undefined);
  });

  it('belongs to the tool that ran then', () => {
    const lines = [
      line(1, { trigger: 'start' }),
      line(2, { trigger: 'manual' }),
      line(3),
      line(4, { files: { state: 'pending' } }),
      line(5),
    ];
    assert.equal(snapshotOfTool(lines, 150n, 350n)?.id, 3n);
    assert.equal(snapshotOfTool(lines, 310n, undefined)?.id, 5n);
    assert.equal(snapshotOfTool(lines, 310n, 450n), undefined, 'it is not there yet');
    assert.equal(snapshotOfTool(lines, 600n, undefined), undefined);
  });
});
