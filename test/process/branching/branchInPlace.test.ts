import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

/** The files of the agent's memory are in the user's folder, and are removed with the branch. */
describe('a branch in place, with the memory of an agent', function () {
  this.timeout(120_000);
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files, 'home');

  beforeEach(async () => {
    workspace = path.join(place.path, 'prö ject');
    mkdirSync(workspace);
    mkdirSync(path.join(place.path, 'home'));
    await userGit(workspace, 'init', '-q');
    const steps = [() => writeFileSync(path.join(workspace, 'a'), '1\n')];
    const cmd = [process.execPath];
    files = await placeBranchable(sandbox.current, workspace, { agent: 'claudeCode', cmd, steps });
  });

  const inPlace = (name: string) =>
    out('branch', '--snapshot', '1', '--in-place', '--name', name, '--no-launch', '--json');
  const restored = () => readdirSync(path.join(workspace, '.ah/restore'));

  it('leaves no memory behind when it is discarded, and keeps that of other branches', async () => {
    const before = filesOnDisk(workspace);
    await inPlace('one');
    const ofOne = restored();
    await inPlace('two');
    assert.deepEqual([ofOne.length, restored().length], [1, 2]);
    await out('branch', 'rm', 'one', '--yes');
    assert.equal(restored().length, 1);
    assert.ok(!restored().includes(ofOne[0]!));
    await out('branch', 'rm', 'two', '--yes');
    assert.ok(!existsSync(path.join(workspace, '.ah')));
    assert.deepEqual(filesOnDisk(workspace), before);
  });

  it('leaves files of others, and targets of links, alone', async () => {
    const own = path.join(workspace, '.ah');
    await inPlace('one');
    writeFileSync(path.join(own, 'mine'), 'mine\n');
    await out('branch', 'rm', 'one', '--yes');
    assert.deepEqual(readdirSync(own).sort(), ['.gitignore', 'mine']);
    await inPlace('two');
    const moved = path.join(place.path, 'moved');
    renameSync(path.join(own, 'restore'), moved);
    symlinkSync(moved, path.join(own, 'restore'));
    await out('branch', 'rm', 'two', '--yes');
    assert.equal(readdirSync(moved).length, 1);
  });

  it('says in the plan that HEAD and index stay', async () => {
    const args = ['branch', '--snapshot', '1', '--in-place', '--dry-run'];
    assert.match((await ah(...args)).stderr, /the original folder.*HEAD and index stay/);
  });
});
