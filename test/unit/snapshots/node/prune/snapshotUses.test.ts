import assert from 'node:assert/strict';
import type { CataloguedSession } from '../../../../../src/sessions/node/catalogue.ts';
import { SnapshotsFile } from '../../../../../src/snapshots/node/list/snapshotsFile.ts';
import {
  forgetOpened,
  noteOpened,
} from '../../../../../src/snapshots/node/list/openedSnapshots.ts';
import { readSnapshotUses } from '../../../../../src/snapshots/node/prune/snapshotUses.ts';
import type { SnapshotFiles } from '../../../../../src/snapshots/common/snapshotLine.ts';
import { branchRecord } from '../../../../support/branching/branchRecord.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('the uses of snapshots', () => {
  const folder = useTemporaryFolder();

  async function neededBy(id: string): Promise<string[]> {
    const session = { folder: folder.path, meta: { id } } as CataloguedSession;
    const branches = { list: () => Promise.resolve([branchRecord({ id: 'branch' })]) };
    const { needed } = await readSnapshotUses([session], branches, { maxAgeMs: 0 }, 0);
    return [...needed].sort();
  }

  beforeEach(async () => {
    const file = await SnapshotsFile.open(folder.path);
    const kept = (ref: string): SnapshotFiles => ({
      state: 'kept',
      provider: 'git',
      ref,
      stats: {},
      omissions: [],
    });
    const all: SnapshotFiles[] = [{ state: 'failed', reason: '' }, kept('one'), kept('two')];
    for (const [index, files] of all.entries()) {
      const id = BigInt(index);
      const rest = { label: '', kind: 'auto', anchorByte: 0, trigger: 'tool', files } as const;
      await file.append({ id, tsNs: id, ...rest });
    }
    await file.close();
  });

  it('include where branches start, and the first snapshot of a branch', async () => {
    assert.deepEqual(await neededBy('other'), ['r']);
    assert.deepEqual(await neededBy('branch'), ['one', 'r']);
  });

  it('include snapshots that an editor shows in any way, until it no longer does', async () => {
    const opened = { sessionFolder: folder.path, id: 2n, address: '' };
    await noteOpened(opened);
    await noteOpened({ ...opened, as: 'changes' });
    await forgetOpened(opened);
    assert.deepEqual(await neededBy('other'), ['r', 'two']);
    await forgetOpened({ ...opened, as: 'changes' });
    assert.deepEqual(await neededBy('other'), ['r']);
  });
});
