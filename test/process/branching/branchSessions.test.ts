import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

/** Other programs may be recorded in the folder of a branch. */
describe('other sessions in the folder of a branch', function () {
  this.timeout(120_000);
  let workspace = '';
  let branch = '';
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);

  beforeEach(async () => {
    workspace = path.join(place.path, 'prö ject');
    branch = `${workspace}.branches/x`;
    mkdirSync(path.join(workspace, 'deep'), { recursive: true });
    await userGit(workspace, 'init', '-q');
    writeFileSync(path.join(workspace, 'deep/a'), '1\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    const steps = [() => {}, () => writeFileSync(path.join(workspace, 'deep/a'), '2\n')];
    files = await placeBranchable(sandbox.current, workspace, { steps });
    await out('branch', '--snapshot', '1', '--name', 'x', '--no-launch', '--json');
  });

  async function refuses(id: string, ...args: string[]): Promise<void> {
    const { exitCode, stderr } = await ah(...args);
    assert.equal(exitCode, 1);
    assert.match(stderr, /The session .*, “\/bin\/sleep”, is running in .*; stop it first/);
    assert.match(stderr, new RegExp(`ah agent stop ${id}`));
  }

  it('keep the branch from being removed while they run, even through a link', async () => {
    const link = path.join(place.path, 'link');
    symlinkSync(branch, link);
    const cwd = path.join(link, 'deep');
    const { id } = await sandbox.current.launch(['/bin/sleep', '60'], { cwd });
    await refuses(id, 'branch', 'rm', 'x', '--yes');
    assert.ok(existsSync(path.join(branch, 'deep/a')));
    assert.match(await out('branches'), /^x +not started/m);
    await out('stop', id);
    await out('branch', 'rm', 'x', '--yes');
    assert.ok(!existsSync(branch));
  });

  it('are listed with their snapshots, which are marked as removed later', async () => {
    const steps = [() => writeFileSync(path.join(branch, 'mine'), 'work\n'), () => {}];
    const other = await placeBranchable(sandbox.current, branch, { steps });
    await other.dispose();
    const { id } = other.session.meta;
    const said = await out('branch', 'rm', 'x', '--dry-run');
    assert.match(said, new RegExp(`2 snapshots of another session in its folder, ${id} `));
    assert.equal(await out('fs', 'show', '1', 'mine', '--session', id), 'work\n');
    await out('branch', 'rm', 'x', '--yes');
    assert.match(await out('fs', 'list', '--session', id), /removed/);
    const { exitCode, stderr } = await ah('fs', 'show', '1', 'mine', '--session', id);
    assert.equal(exitCode, 1);
    assert.match(stderr, /Snapshot 1 has been removed/);
  });

  it('can be read after their folder was deleted by hand', async () => {
    const step = () => writeFileSync(path.join(branch, 'deep/file'), 'kept\n');
    const other = await placeBranchable(sandbox.current, `${branch}/deep`, { steps: [step] });
    await other.dispose();
    await userGit(workspace, 'worktree', 'remove', '--force', branch);
    const session = ['--session', other.session.meta.id];
    const { exitCode, stdout, stderr } = await ah('fs', 'show', '1', 'file', ...session);
    assert.deepEqual([exitCode, stdout.toString()], [0, 'kept\n'], stderr);
  });

  it('prevent an in-place branch while they run', async () => {
    const { id } = await sandbox.current.launch(['/bin/sleep', '60'], {
      cwd: workspace,
      workspace,
    });
    const before = filesOnDisk(workspace);
    const inPlace = ['branch', '--snapshot', '1', '--in-place', '--name', 'y', '--no-launch'];
    await refuses(id, ...inPlace);
    assert.deepEqual(filesOnDisk(workspace), before);
    await out('stop', id);
    await out(...inPlace);
  });
});
