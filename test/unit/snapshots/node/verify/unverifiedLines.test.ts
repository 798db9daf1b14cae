import assert from 'node:assert/strict';
import { UnverifiedLines } from '../../../../../src/snapshots/node/verify/unverifiedLines.ts';
import type {
  SnapshotFiles,
  SnapshotLine,
} from '../../../../../src/snapshots/common/snapshotLine.ts';

describe('snapshots that are not verified yet', () => {
  it('are marked as verified up to the compared one, with the files that they may lack', () => {
    const unverified = new UnverifiedLines();
    unverified.add(line(1n), 100n);
    unverified.add(line(3n), 300n);
    unverified.add(line(4n), 400n);
    assert.equal(unverified.isEmpty, false);
    const marked = unverified.markVerified(300n, ['a', 'b']);
    assert.deepEqual(marked.map(idAndOmissions), [
      [1n, 'big too-large, a unstable, b unstable'],
      [3n, 'big too-large, a unstable, b unstable'],
    ]);
    assert.deepEqual(unverified.markVerified(300n, ['c']), [], 'once');
    assert.deepEqual(unverified.markVerified(400n, ['c']).map(idAndOmissions), [
      [4n, 'big too-large, c unstable'],
    ]);
  });

  it('are marked as verified only once', () => {
    const unverified = new UnverifiedLines();
    unverified.add(line(1n), 100n);
    const [verified] = unverified.markVerified(100n, []);
    assert.equal(verified?.files.state === 'kept' && 'isUnverified' in verified.files, false);
    assert.deepEqual(idAndOmissions(verified!), [1n, 'big too-large']);
    assert.deepEqual(unverified.markVerified(200n, ['a']), []);
    assert.deepEqual(unverified.giveUp(), []);
    assert.ok(unverified.isEmpty);
  });

  it('are marked as never verified at the end', () => {
    const unverified = new UnverifiedLines();
    unverified.add(line(1n), 100n);
    unverified.add(line(2n), 200n);
    unverified.markVerified(100n, []);
    const marked = unverified.giveUp();
    assert.deepEqual(marked.map(idAndOmissions), [[2n, 'big too-large,  unstable']]);
    assert.ok(marked.every(({ files }) => files.state === 'kept' && !files.isUnverified));
    assert.ok(unverified.isEmpty);
  });
});

function line(id: bigint, files: SnapshotFiles = kept()): SnapshotLine {
  return { id, tsNs: id, anchorByte: 0, label: '', kind: 'auto', trigger: 'tool', files };
}

function kept(): Extract<SnapshotFiles, { state: 'kept' }> {
  const omissions = [{ path: 'big', reason: 'too-large' }] as const;
  return { state: 'kept', provider: 'git', ref: 'ref', stats: {}, omissions, isUnverified: true };
}

function idAndOmissions({ id, files }: SnapshotLine): [bigint, string] {
  const omissions = files.state === 'kept' ? files.omissions : [];
  return [id, omissions.map(({ path, reason }) => `${path} ${reason}`).join(', ')];
}
