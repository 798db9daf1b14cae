import assert from 'node:assert/strict';
import { UnprovenLines } from '../../../src/host/unprovenLines.ts';
import type { SnapshotFiles, SnapshotLine } from '../../../src/snapshots/snapshotLine.ts';

describe('snapshots that are not proven yet', () => {
  it('say what they may lack, those alone that began until the one that was compared', () => {
    const unproven = new UnprovenLines();
    unproven.add(line(1n), 100n);
    unproven.add(line(2n, { state: 'failed', reason: 'no room' }), 200n);
    unproven.add(line(3n), 300n);
    unproven.add(line(4n), 400n);
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

  it('say nothing once they are proven', () => {
    const unproven = new UnprovenLines();
    unproven.add(line(1n), 100n);
    assert.deepEqual(unproven.prove(100n, []), []);
    assert.deepEqual(unproven.prove(200n, ['a']), []);
  });
});

function line(id: bigint, files: SnapshotFiles = kept()): SnapshotLine {
  return { id, tsNs: id, anchorByte: 0, label: '', kind: 'auto', trigger: 'tool', files };
}

function kept(): SnapshotFiles {
  const omissions = [{ path: 'big', reason: 'too-large' }] as const;
  return { state: 'kept', provider: 'git', ref: 'ref', stats: {}, omissions };
}

function idAndOmissions({ id, files }: SnapshotLine): [bigint, string] {
  const omissions = files.state === 'kept' ? files.omissions : [];
  return [id, omissions.map(({ path, reason }) => `${path} ${reason}`).join(', ')];
}
