import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { cliFile, collect } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { fillUp } from '../../support/volumes/fillUp.ts';
import { slowTest } from '../../support/tiers.ts';

/** A file system has reserves, and finds a little more space after each refusal. */
const MAX_ATTEMPTS = 40;

describe('a branch on a Btrfs that is full', function () {
  this.timeout(300_000);
  const sandbox = useSandbox();
  const disk = useBtrfsDisk({ sizeMib: 120 });
  let workspace = '';
  let files: SessionFiles;

  beforeEach(async () => {
    workspace = disk.current.subvolume('prö ject');
    await userGit(workspace, 'init', '-q');
    writeFileSync(path.join(workspace, 'a.txt'), 'one\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    const steps = [() => writeFileSync(path.join(workspace, 'b.txt'), 'two\n')];
    files = await placeBranchable(sandbox.current, workspace, { steps });
  });
  afterEach(() => files.dispose());

  function ah(...args: string[]) {
    const env = { ...sandbox.current.env, AH_SESSION_ID: files.session.meta.id };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], { env, stdio: 'pipe' });
    child.stdin.end();
    return collect(child);
  }

  function branch(name: string) {
    return ah('branch', '--snapshot', '1', '--name', name, '--no-launch');
  }

  function filler(): string {
    return path.join(disk.current.folder, 'filler');
  }

  /** Fills the disk until the file system refuses a snapshot. */
  function exhaust(): void {
    fillUp(filler());
    for (let number = 0; number < 5000; number++) {
      const target = path.join(filler(), `clone${number}`);
      try {
        execFileSync('btrfs', ['subvolume', 'snapshot', workspace, target], { stdio: 'pipe' });
      } catch {
        return;
      }
    }
    assert.fail('the disk never got full');
  }

  slowTest(
    'is refused and leaves nothing; an earlier one can be removed and created again',
    async () => {
      assert.equal((await branch('before')).exitCode, 0);
      const before = { files: filesOnDisk(workspace), data: dataFiles() };
      exhaust();
      const made: string[] = [];
      let refusal: { name: string; stderr: string } | undefined;
      for (let attempt = 0; attempt < MAX_ATTEMPTS && !refusal; attempt++) {
        const name = `b${attempt}`;
        const { exitCode, stderr } = await branch(name);
        if (exitCode === 0) made.push(name);
        else refusal = { name, stderr };
      }
      assert.ok(refusal, `${made.length} branches were made on a full disk`);
      assert.match(refusal.stderr, /The disk is full: no branch was created/);
      assert.doesNotMatch(refusal.stderr, /Internal error/);
      const folder = `${workspace}.branches`;
      assert.deepEqual(readdirSync(folder).filter(isBranch).sort(), ['before', ...made].sort());
      assert.ok(!disk.current.subvolumes().some((each) => each.endsWith(`/${refusal.name}`)));

      // Removing must work on a full disk.
      for (const name of ['before', ...made]) {
        const { exitCode, stderr } = await ah('branch', 'rm', name, '--yes');
        assert.equal(exitCode, 0, stderr);
        assert.ok(!existsSync(path.join(folder, name)));
      }
      assert.deepEqual(filesOnDisk(workspace), before.files);
      const clones = readdirSync(filler()).filter((name) => name.startsWith('clone'));
      const paths = clones.map((name) => path.join(filler(), name));
      execFileSync('btrfs', ['subvolume', 'delete', ...paths], { stdio: 'pipe' });
      rmSync(filler(), { recursive: true });
      // Btrfs frees deleted subvolumes in the background, after everything else is on disk.
      execFileSync('btrfs', ['filesystem', 'sync', disk.current.folder], { stdio: 'pipe' });
      execFileSync('btrfs', ['subvolume', 'sync', '-s', '1', disk.current.folder], {
        stdio: 'pipe',
      });
      const again = await branch('before');
      assert.equal(again.exitCode, 0, again.stderr);
      assert.deepEqual(dataFiles(), before.data);
    },
  );

  /** The number of records of clones and branches. */
  function dataFiles(): Record<string, number> {
    const count = (name: string) =>
      readdirSync(path.join(sandbox.current.folder, name), { recursive: true }).length;
    return { branches: count('branches'), clones: count('snapshots/btrfs-clones') };
  }
});

function isBranch(name: string): boolean {
  return !name.startsWith('.');
}
