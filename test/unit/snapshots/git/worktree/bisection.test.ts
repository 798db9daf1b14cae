import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { fingerprint, openReal, take, userGit } from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('git snapshots: a bisection', () => {
  const folder = useTemporaryFolder();
  const signal = new AbortController().signal;
  let workspace = '';
  let provider: SnapshotProvider;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'work');
    await mkdir(workspace);
    await userGit(workspace, 'init', '-q');
    for (let number = 1; number <= 8; number++) {
      await writeFile(path.join(workspace, 'a.txt'), `${number}\n`);
      await userGit(workspace, 'add', '.');
      await userGit(workspace, 'commit', '-q', '-m', `${number}`);
    }
    provider = await openReal(workspace, path.join(folder.path, 'storage'));
  });
  afterEach(() => provider.dispose());

  const stateOfOriginal = async () => [
    fingerprint(path.join(workspace, '.git/refs')),
    await userGit(workspace, 'bisect', 'log'),
  ];

  it('continues in a clone independently, and does not end at a branch of the user', async () => {
    await userGit(workspace, 'bisect', 'start', 'HEAD', 'HEAD~7');
    await userGit(workspace, 'update-ref', 'refs/worktree/mine', 'HEAD~1');
    const { ref } = await take(provider);
    const destination = path.join(folder.path, 'clone');
    const clone = await provider.clone({ ref, destination, name: 'b', signal });
    const own = ['for-each-ref', 'refs/bisect', 'refs/worktree'];
    const listed = await userGit(workspace, ...own);
    assert.match(listed, /refs\/bisect\/bad\n[^]*refs\/worktree\/mine\n/);
    assert.equal(await userGit(clone.workspace, ...own), listed);
    const before = await stateOfOriginal();
    assert.match(
      await userGit(clone.workspace, 'bisect', 'good'),
      /Bisecting: \d+ revisions? left/,
    );
    await userGit(clone.workspace, 'bisect', 'reset');
    const main = await userGit(workspace, 'rev-parse', 'main');
    assert.equal(await userGit(clone.workspace, 'rev-parse', 'HEAD'), main);
    await userGit(clone.workspace, 'commit', '-q', '--allow-empty', '-m', 'in the clone');
    assert.deepEqual(await stateOfOriginal(), before);
    await provider.removeClone(destination);
  });
});
