import assert from 'node:assert/strict';
import {
  snapshotBefore,
  snapshotOfTool,
  snapshotsOfTurn,
} from '../../../../src/snapshots/common/snapshotBefore.ts';
import type { SnapshotFiles, SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';

const KEPT: SnapshotFiles = {
  state: 'kept',
  provider: 'git',
  ref: 'r',
  stats: {},
  omissions: [],
};

function line(id: number, changes: Partial<SnapshotLine> = {}): SnapshotLine {
  return {
    id: BigInt(id),
    tsNs: BigInt(id * 100),
    label: `${id}`,
    kind: 'auto',
    anchorByte: 0,
    trigger: 'tool',
    files: KEPT,
    ...changes,
  };
}

describe('the snapshot before another one', () => {
  it('is the last one with files', () => {
    const failed = line(2, { files: { state: 'failed', reason: 'full' } });
    const lines = [line(1), failed, line(3), line(9), line(4)];
    assert.equal(snapshotBefore(lines, 3n)?.id, 1n);
    // In file order, whatever their numbers: other programs may assign numbers too.
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

  it('shows with the one after it what a turn changed', () => {
    const lines = [
      line(1, { trigger: 'start' }),
      line(2, { trigger: 'timer' }),
      line(3),
      line(4),
      line(5, { trigger: 'timer' }),
      line(6),
      line(7, { files: { state: 'pending' } }),
    ];
    const idsOf = (promptNs: bigint, nextNs?: bigint): (bigint | undefined)[] => {
      const turn = snapshotsOfTurn(lines, promptNs, nextNs);
      return [turn?.before.id, turn?.after.id];
    };
    // Leaves out snapshots after the last tool, which contain the user's own changes.
    assert.deepEqual(idsOf(250n, 550n), [2n, 4n]);
    assert.deepEqual(idsOf(550n), [5n, 6n]);
    // Turns without a snapshot after a tool.
    assert.deepEqual(idsOf(410n, 550n), [4n, 5n]);
    assert.deepEqual(idsOf(110n, 250n), [1n, 2n]);
    // Turns that began before the first snapshot.
    assert.deepEqual(idsOf(50n, 350n), [1n, 3n]);
    assert.deepEqual(idsOf(50n, 150n), [undefined, undefined]);
    assert.deepEqual(idsOf(610n), [undefined, undefined]);
  });
});
