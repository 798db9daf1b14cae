import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { cliFile, collect, until } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

const NAMES = ['a', 'b', 'c', 'd'];

/** Wherever the merge is interrupted, the original is merged completely or not at all. */
describe('merging the commits of a branch', function () {
  this.timeout(120_000);
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, out } = useSessionCommands(() => files);
  const inBranch = (name: string) => path.join(`${workspace}.branches/x`, name);
  const marked = () => path.join(place.path, 'marked');
  const head = (folder: string) => userGit(folder, 'rev-parse', 'HEAD');

  beforeEach(async () => {
    workspace = path.join(place.path, 'prö ject');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q', '-b', 'main');
    for (const [name, value] of Object.entries({ name: 'A', email: 'a@example.com' })) {
      await userGit(workspace, 'config', `user.${name}`, value);
    }
    writeFileSync(path.join(workspace, '.gitattributes'), '* filter=slow\n');
    await commit(workspace, '1\n');
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    await out('branch', '--snapshot', '1', '--name', 'x', '--no-launch', '--json');
    await commit(inBranch(''), '2\n');
  });

  async function commit(folder: string, text: string): Promise<void> {
    for (const name of NAMES) writeFileSync(path.join(folder, name), text);
    await userGit(folder, 'add', '.');
    await userGit(folder, 'commit', '-qm', `all ${text}`);
  }

  const userConfig = () => path.join(place.path, 'gitconfig');

  /** Slows down every file that git reads or writes, and marks the first. */
  const beSlow = (direction: 'clean' | 'smudge') => {
    const filter = `touch '${marked()}'; sleep 0.5; cat`;
    // In the user's configuration: a merge runs no filters that the repository itself names.
    return userGit(
      place.path,
      'config',
      '--file',
      userConfig(),
      `filter.slow.${direction}`,
      filter,
    );
  };

  /** Starts the merge in a terminal, and signals all its processes once git is running. */
  async function interrupted(signal: NodeJS.Signals) {
    const args = [cliFile, 'agent', 'branch', 'take', 'x', '--merge', '--yes'];
    const env = { ...sandbox.current.env, GIT_CONFIG_GLOBAL: userConfig() };
    const child = spawn(process.execPath, args, { env, detached: true, stdio: 'pipe' });
    const ended = collect(child);
    await until(() => existsSync(marked()), 'git to be at work');
    process.kill(-child.pid!, signal);
    return ended;
  }

  async function isMerged(): Promise<void> {
    assert.equal(await head(workspace), await head(inBranch('')));
    assert.equal(await userGit(workspace, 'status', '--porcelain'), '');
    assert.ok(!existsSync(path.join(workspace, '.git/index.lock')));
  }

  it('completes when it is interrupted after git has started, and says so', async () => {
    await beSlow('smudge');
    const { exitCode, stderr } = await interrupted('SIGINT');
    assert.deepEqual(
      [exitCode, stderr],
      [0, 'ah: Too late to cancel: the branch is already merged.\n'],
    );
    await isMerged();
  });

  it('completes when the process that started it is killed', async () => {
    await beSlow('smudge');
    const lock = path.join(workspace, '.git/index.lock');
    assert.equal((await interrupted('SIGKILL')).exitCode, null);
    await until(() => !existsSync(lock), 'git to come to its end');
    await until(async () => (await head(workspace)) === (await head(inBranch(''))), 'the merge');
    await isMerged();
  });

  it('is aborted when it is interrupted and there is a conflict', async () => {
    await commit(workspace, '3\n');
    // Git writes only the file that the branch added, and slowly.
    writeFileSync(inBranch('new'), 'new\n');
    await userGit(inBranch(''), 'add', '.');
    await userGit(inBranch(''), 'commit', '-qm', 'new');
    await beSlow('smudge');
    const before = [await head(workspace), filesOnDisk(workspace)];
    const { exitCode, stderr } = await interrupted('SIGINT');
    assert.deepEqual([exitCode, stderr], [1, 'ah: Cancelled; nothing was changed.\n']);
    assert.deepEqual([await head(workspace), filesOnDisk(workspace)], before);
    assert.equal(await userGit(workspace, 'status', '--porcelain'), '');
  });

  it('does not start when it is interrupted before, and says so', async () => {
    await beSlow('clean');
    // git has to read the file to know that it is unchanged.
    utimesSync(inBranch('a'), 1, 1);
    const before = [await head(workspace), filesOnDisk(workspace)];
    const { exitCode, stderr } = await interrupted('SIGINT');
    assert.deepEqual([exitCode, stderr], [1, 'ah: Cancelled; nothing was changed.\n']);
    rmSync(marked());
    assert.deepEqual([await head(workspace), filesOnDisk(workspace)], before);
  });
});
