import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { mergeBranch } from '../../../src/branching/node/apply/branchCommits.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { planApply } from '../../../src/branching/node/apply/applyBranch.ts';
import { DeletedSessions } from '../../../src/sessions/node/deletedSessions.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import {
  committedRepository,
  filesOnDisk,
  putFiles,
  userGit,
} from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const TOO_LARGE = 60 * 1024 * 1024;
const { signal } = new AbortController();

/** All changes of the branch are applied or listed; nothing else changes in the original. */
describe('applying a branch', function () {
  this.timeout(120_000);
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);

  const inBranch = (name: string) => path.join(`${workspace}.branches/x`, name);
  const inOriginal = (name: string) => path.join(workspace, name);
  const read = (name: string) => readFileSync(inOriginal(name), 'utf8');

  /** Creates a session in the folder, and its branch x. */
  async function branchOf(folder: string) {
    workspace = folder;
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    await out('branch', '--snapshot', '1', '--name', 'x', '--no-launch', '--json');
  }

  const isExecutable = (name: string) => (statSync(inOriginal(name)).mode & 0o100) !== 0;
  const RUN = { 'run.sh': '1\n2\n3\n4\n5\n', 'build.sh': '1\n', 'tool.bin': 'a\0b' };

  /** Each side changes the modes of the files whose content the other changes. */
  async function mergesModes(): Promise<void> {
    putFiles(inBranch(''), { 'run.sh': 'one\n2\n3\n4\n5\n', 'tool.bin': 'c\0d' });
    for (const name of ['run.sh', 'tool.bin']) chmodSync(inOriginal(name), 0o755);
    putFiles(workspace, { 'run.sh': '1\n2\n3\n4\nfive\n', 'build.sh': '2\n' });
    chmodSync(inBranch('build.sh'), 0o755);
    await out('branch', 'take', 'x', '--yes');
    assert.deepEqual(
      [read('run.sh'), read('build.sh'), read('tool.bin')],
      ['one\n2\n3\n4\nfive\n', '2\n', 'c\0d'],
    );
    assert.deepEqual(Object.keys(RUN).map(isExecutable), [true, true, true]);
  }

  describe('with git', () => {
    async function project(contents: Readonly<Record<string, string>>): Promise<void> {
      const folder = path.join(place.path, 'prö ject');
      await committedRepository(folder, contents);
      await branchOf(folder);
    }

    it('keeps the mode changes of both sides in merged files', async () => {
      await project(RUN);
      await mergesModes();
    });

    it('lists files that are too large, and does not delete them', async () => {
      await project({ '.gitignore': '*.log\n', data: '1\n', a: '1\n', same: '' });
      // This file is the same in the original and the branch, so it is not listed.
      for (const folder of [workspace, inBranch('')]) {
        truncateSync(path.join(folder, 'same'), TOO_LARGE);
      }
      putFiles(inBranch(''), { a: '2\n', big: '', 'x.log': '', '.gitignore': '*.log\nnotes\n' });
      for (const name of ['big', 'data', 'x.log']) truncateSync(inBranch(name), TOO_LARGE);
      const said = await out('branch', 'take', 'x', '--dry-run');
      const untaken = `(not applied: not in any snapshot, too-large, ${TOO_LARGE} bytes)`;
      assert.deepEqual(said.trim().split('\n'), [
        'M  .gitignore',
        'M  a',
        `!  big  ${untaken}`,
        `!  data  ${untaken}`,
      ]);
      await out('branch', 'take', 'x', '--yes');
      assert.deepEqual([read('a'), read('data')], ['2\n', '1\n']);
    });

    it('does not delete files that the branch has started to ignore', async () => {
      const folder = path.join(place.path, 'prö ject');
      await committedRepository(folder, { a: '1\n' });
      putFiles(folder, { notes: 'mine\n', gone: 'g\n' });
      await branchOf(folder);
      putFiles(inBranch(''), { '.gitignore': 'notes\n' });
      rmSync(inBranch('gone'));
      assert.equal(await out('branch', 'take', 'x', '--dry-run'), 'A  .gitignore\nD  gone\n');
    });

    it('works without the original session if another session can store the undo', async () => {
      await project({ a: '1\n' });
      putFiles(inBranch(''), { a: '2\n' });
      const { catalogue } = sandbox.current;
      const deleted = new DeletedSessions(catalogue);
      await deleted.add(files.session);
      await deleted.purge(files.session.meta.id);
      const refused = await ah('branch', 'take', 'x', '--yes');
      assert.equal(refused.exitCode, 1);
      assert.match(
        refused.stderr,
        /its original session was deleted.*Record a session there first.*--merge/,
      );
      assert.match(await out('branch', 'rm', 'x', '--dry-run'), /M {2}a\n/);
      await files.dispose();
      files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
      const said = await out('branch', 'take', 'x', '--yes');
      assert.equal(read('a'), '2\n');
      const [, undo = ''] = /To undo: ah agent (.*)/.exec(said) ?? [];
      await out(...undo.split(' '), '--yes');
      assert.equal(read('a'), '1\n');
    });

    it('is refused while the branch is incomplete', async () => {
      await project({ a: '1\n', b: '1\n' });
      putFiles(inBranch(''), { c: 'c\n' });
      await userGit(inBranch(''), 'add', '.');
      await userGit(inBranch(''), 'commit', '-qm', 'half of it');
      rmSync(inBranch('a'));
      const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
      const record = await registry.find('x');
      const before = filesOnDisk(workspace);
      for (const state of ['making', 'removing'] as const) {
        const half = { ...record, state };
        await registry.put(half);
        const refused = { code: 'not-ready' };
        await assert.rejects(planApply(files, half, signal), refused);
        await assert.rejects(mergeBranch(half, signal), refused);
        for (const more of [[], ['--dry-run'], ['--merge'], ['--merge', '--dry-run']]) {
          const { exitCode, stdout, stderr } = await ah('branch', 'take', 'x', '--yes', ...more);
          assert.deepEqual([exitCode, stdout.toString()], [1, '']);
          assert.equal(stderr, "ah: Can't use the branch “x”: it is not complete.\n");
        }
      }
      assert.deepEqual(filesOnDisk(workspace), before);
    });

    it('replaces a folder by a file completely or not at all', async () => {
      await project({ 'folder/x': 'x\n', 'folder/deep/z': 'z\n', other: '1\n' });
      rmSync(inBranch('folder'), { recursive: true });
      putFiles(inBranch(''), { folder: 'a file\n', other: '2\n' });
      putFiles(workspace, { 'folder/y': 'y\n' });
      const { exitCode, stdout, stderr } = await ah('branch', 'take', 'x', '--yes');
      assert.equal(exitCode, 1);
      assert.match(stdout.toString(), /D {2}folder\/x {2}\(skipped: conflicts with your changes\)/);
      assert.match(stderr, /Skipped 3 files/);
      assert.deepEqual(['folder/x', 'folder/deep/z', 'folder/y', 'other'].map(read), [
        'x\n',
        'z\n',
        'y\n',
        '2\n',
      ]);
    });
  });

  describe('on Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });
    const PROJECT = {
      '.gitignore': 'build/\n.env\n',
      'build/out.js': 'original\n',
      '.env': 'KEY=original\n',
      'd/x': 'x\n',
      a: '1\n',
    };
    const WORK = { '.env': 'KEY=branch\n', 'build/out.js': 'branch\n', a: '2\n' };

    async function withSubmodule(): Promise<void> {
      const module = path.join(place.path, 'module');
      await committedRepository(module, { 'm.txt': 'm\n' });
      const folder = disk.current.subvolume('project');
      await committedRepository(folder, PROJECT);
      await userGit(folder, 'submodule', '--quiet', 'add', module, 'sub');
      await userGit(folder, 'commit', '-qm', 'with a submodule');
      await branchOf(folder);
    }

    it('keeps the mode changes of both sides in merged files', async () => {
      const folder = disk.current.subvolume('project');
      await committedRepository(folder, RUN);
      await branchOf(folder);
      await mergesModes();
    });

    it('leaves ignored files of a submodule alone', async () => {
      await withSubmodule();
      putFiles(inBranch(''), { ...WORK, 'sub/m.txt': 'changed\n' });
      await out('branch', 'take', 'x', '--yes');
      assert.deepEqual([read('a'), read('sub/m.txt')], ['2\n', 'changed\n']);
      assert.deepEqual([read('.env'), read('build/out.js')], ['KEY=original\n', 'original\n']);
    });

    it('leaves ignored files alone when a link replaced their folder', async () => {
      await withSubmodule();
      putFiles(inBranch(''), WORK);
      for (const name of ['build', 'd']) {
        rmSync(inBranch(name), { recursive: true });
        symlinkSync('/nowhere/at/all', inBranch(name));
      }
      const said = await out('branch', 'take', 'x', '--dry-run');
      assert.match(said, /D {2}d\/x\n/);
      assert.doesNotMatch(said, /build\/|\.env/);
    });

    it('changes nothing when git can’t list the ignored files', async () => {
      await withSubmodule();
      putFiles(inBranch(''), WORK);
      writeFileSync(inBranch('.git/index'), 'damaged');
      const before = filesOnDisk(workspace);
      const { exitCode, stderr } = await ah('branch', 'take', 'x', '--yes');
      assert.equal(exitCode, 1);
      assert.match(stderr, /git can.t list the ignored files of .*\/x: /);
      assert.deepEqual(filesOnDisk(workspace), before);
      assert.match(
        await out('branch', 'rm', 'x', '--dry-run'),
        /Can't determine the branch's changes: git can't list the ignored files/,
      );
      assert.ok(existsSync(inBranch('a')));
    });

    it('leaves ignored files alone when the repository is elsewhere', async () => {
      const main = path.join(place.path, 'main');
      await committedRepository(main, PROJECT);
      const folder = disk.current.subvolume('project');
      await userGit(main, 'worktree', 'add', '-q', folder);
      putFiles(folder, PROJECT);
      await branchOf(folder);
      assert.ok(!existsSync(inBranch('.git')));
      putFiles(inBranch(''), WORK);
      assert.equal(await out('branch', 'take', 'x', '--dry-run'), 'M  a\n');
    });
  });
});
