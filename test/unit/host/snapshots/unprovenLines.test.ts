import assert from 'node:assert/strict';
import { UnprovenLines } from '../../../../src/host/snapshots/unprovenLines.ts';
import type { SnapshotFiles, SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';

describe('snapshots that are not proven yet', () => {
  it('say that they are proven, and what they may lack, those alone that began until the one that was compared', () => {
    const unproven = new UnprovenLines();
    unproven.add(line(1n), 100n);
    unproven.add(line(3n), 300n);
    unproven.add(line(4n), 400n);
    assert.equal(unproven.isEmpty, false);
    const marked = unproven.prove(300n, ['a', 'b']);
    assert.deepEqual(marked.map(idAndOmissions), [
      [1n, 'big too-large, a unstable, b unstable'],
      [3n, 'big too-large, a unstable, b unstable'],
    ]);
    assert.deepEqual(unproven.prove(300n, ['c']), [], 'once');
    assert.deepEqual(unproven.prove(400n, ['c']).map(idAndOmissions), [
      [4n, 'big too-large, c unstable'],
    ]);
  });

  it('say that they are proven, once, and nothing after that', () => {
    const unproven = new UnprovenLines();
    unproven.add(line(1n), 100n);
    const [proven] = unproven.prove(100n, []);
    assert.equal(proven?.files.state === 'kept' && 'isUnproven' in proven.files, false);
    assert.deepEqual(idAndOmissions(proven!), [1n, 'big too-large']);
    assert.deepEqual(unproven.prove(200n, ['a']), []);
    assert.deepEqual(unproven.giveUp(), []);
    assert.ok(unproven.isEmpty);
  });

  it('say so when nobody proves them any more', () => {
    const unproven = new UnprovenLines();
    unproven.add(line(1n), 100n);
    unproven.add(line(2n), 200n);
    unproven.prove(100n, []);
    const marked = unproven.giveUp();
    assert.deepEqual(marked.map(idAndOmissions), [[2n, 'big too-large,  unstable']]);
    assert.ok(marked.every(({ files }) => files.state === 'kept' && !files.isUnproven));
    assert.ok(unproven.isEmpty);
  });
});

function line(id: bigint, files: SnapshotFiles = kept()): SnapshotLine {
  return { id, tsNs: id, anchorByte: 0, label: '', kind: 'auto', trigger: 'tool', files };
}

function kept(): Extract<SnapshotFiles, { state: 'kept' }> {
  const omissions = [{ path: 'big', reason: 'too-large' }] as const;
  return { state: 'kept', provider: 'git', ref: 'ref', stats: {}, omissions, isUnproven: true };
}

function idAndOmissions({ id, files }: SnapshotLine): [bigint, string] {
  const omissions = files.state === 'kept' ? files.omissions : [];
  return [id, omissions.map(({ path, reason }) => `${path} ${reason}`).join(', ')];
}
