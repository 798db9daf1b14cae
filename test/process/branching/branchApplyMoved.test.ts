import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BranchRecord } from '../../../src/branching/common/branchRecord.ts';
import { OpenedSnapshots } from '../../../src/extension/snapshots/openedSnapshots.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { applyBranch, planApply } from '../../../src/branching/node/apply/applyBranch.ts';
import { movedWorkspace } from '../../../src/branching/node/apply/applyTarget.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import {
  lastReplaced,
  restoreWorkspace,
} from '../../../src/snapshots/node/restore/restoreWorkspace.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

const { signal } = new AbortController();

/** The project was moved before the branch was created, and its former folder has a copy now. */
describe('applying a branch to a moved folder', function () {
  this.timeout(120_000);
  let former = '';
  let moved = '';
  let files: SessionFiles;
  let record: BranchRecord;
  const { sandbox, place, out } = useSessionCommands(() => files);

  beforeEach(async () => {
    former = path.join(place.path, 'prö ject');
    moved = path.join(place.path, 'moved');
    mkdirSync(former);
    await userGit(former, 'init', '-q');
    const steps = ['1\n', '2\n'].map((text) => () => writeFileSync(path.join(former, 'a'), text));
    files = await placeBranchable(sandbox.current, former, { steps });
    renameSync(former, moved);
    await out('branch', '--snapshot', '2', '--moved-to', moved, '--name', 'x', '--no-launch');
    record = await new BranchRegistry(path.join(sandbox.current.folder, 'branches')).find('x');
    writeFileSync(path.join(record.workspace, 'a'), '3\n');
    writeFileSync(path.join(record.workspace, 'new'), 'new\n');
    cpSync(moved, former, { recursive: true });
  });

  /** @returns a function that checks that nothing has changed since */
  function unchanged(folder: string): () => void {
    const before = filesOnDisk(folder);
    return () => assert.deepEqual(filesOnDisk(folder), before, folder);
  }

  it('changes and undoes only that folder, on the command line', async () => {
    const [atFormer, atMoved] = [unchanged(former), unchanged(moved)];
    const said = await out('branch', 'take', 'x', '--yes');
    assert.equal(readFileSync(path.join(moved, 'a'), 'utf8'), '3\n');
    const [, undo = ''] = /To undo: ah agent (.*)/.exec(said) ?? [];
    await out(...undo.split(' '), '--yes');
    atFormer();
    atMoved();
    // A second undo restores the state before the first one, in the same folder.
    await out(...undo.split(' '), '--yes');
    assert.equal(readFileSync(path.join(moved, 'new'), 'utf8'), 'new\n');
    atFormer();
  });

  it('changes and undoes only that folder, in the editor', async () => {
    const [atFormer, atMoved] = [unchanged(former), unchanged(moved)];
    const opened = new OpenedSnapshots(sandbox.current.catalogue);
    try {
      const { id } = files.session.meta;
      // Open the former folder first: its cached files must not be used for the other folder.
      assert.equal((await opened.files(id)).workspace, former);
      const there = await opened.files(id, movedWorkspace(record));
      const plan = await planApply(there, record, signal);
      await applyBranch(there, plan, { signal });
      plan.branch.dispose();
      assert.equal(readFileSync(path.join(moved, 'a'), 'utf8'), '3\n');
      const replaced = await lastReplaced(files.session.folder);
      const { id: branch, name } = record;
      assert.deepEqual(replaced.by, { action: 'apply', name, branch }, 'for the undo to say');
      const undone = await opened.files(id, replaced.workspace);
      await restoreWorkspace(undone, { ...replaced, label: 'undo', signal });
      atFormer();
      atMoved();
    } finally {
      opened.dispose();
    }
  });

  it('is refused for files opened at another folder', async () => {
    const [atFormer, atMoved] = [unchanged(former), unchanged(moved)];
    await assert.rejects(planApply(files, record, signal), { code: 'other-workspace' });
    atFormer();
    atMoved();
  });
});
