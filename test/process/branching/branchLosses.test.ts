import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import type { SessionFiles } from '../../../src/sessions/node/sessionFiles.ts';
import { placeBranchable } from '../../support/branchableSession.ts';
import { userGit } from '../../support/gitWorkspace.ts';
import { sessionCommands } from '../../support/sessionCommands.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const TOO_LARGE = 60 * 1024 * 1024;

/** What somebody did in a branch is named before it goes, and does not go unless that is wanted. */
describe('what a branch has', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let workspace = '';
  let files: SessionFiles;
  const { ah, out } = sessionCommands(() => ({
    ...{ sandbox: sandbox.current, files, cwd: place.path },
  }));

  afterEach(() => files.dispose());

  const branchAt = (...names: string[]) => path.join(`${workspace}.branches`, ...names);
  const put = (folder: string, name: string, text: string) =>
    writeFileSync(path.join(folder, name), text);

  async function repository(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await userGit(folder, 'init', '-q', '-b', 'main');
    await userGit(folder, 'config', 'user.email', 'a@example.com');
    await userGit(folder, 'config', 'user.name', 'A');
    put(folder, 'a.txt', 'a\n');
    await userGit(folder, 'add', '.');
    await userGit(folder, 'commit', '-qm', 'first');
  }

  async function commit(folder: string, text: string): Promise<void> {
    put(folder, 'a.txt', `${text}\n`);
    await userGit(folder, 'commit', '-qam', text);
  }

  async function branched(folder: string): Promise<void> {
    workspace = folder;
    await repository(workspace);
    put(workspace, '.gitignore', '*.log\n.env\ntarget/\n');
    put(workspace, '.env', 'SECRET=1\n');
    mkdirSync(path.join(workspace, 'target'));
    put(workspace, 'target/built', 'built\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'rules');
    await repository(path.join(workspace, 'inner'));
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    await out('branch', '--snapshot', '1', '--name', 'x', '--no-launch', '--json');
  }

  describe('with git', () => {
    beforeEach(() => branched(path.join(place.path, 'prö ject')));

    it('is named also where no snapshot has it', async () => {
      const before = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(before, /in no snapshot:\n {2}target\n/);
      assert.doesNotMatch(before, /\.env|\.ah|commit|Changes/, 'the original has the same');
      put(branchAt('x'), '.env', 'SECRET=2\n');
      put(branchAt('x'), 'found.log', 'it was this\n');
      put(branchAt('x'), 'huge', '');
      truncateSync(branchAt('x', 'huge'), TOO_LARGE);
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /in no snapshot:\n {2}\.env\n {2}found\.log\n {2}huge\n {2}target\n/);
    });

    it('is named before what there are many of, and all of it is counted', async () => {
      const clone = branchAt('x');
      put(clone, '.gitignore', '*.log\n.env*\ntarget/\n*.o\n');
      for (const name of ['src', 'web']) mkdirSync(path.join(clone, name));
      put(clone, 'src/main.c', 'int main;\n');
      put(clone, 'web/index.html', '<html>\n');
      put(clone, 'web/.env.local', 'SECRET=3\n');
      for (let each = 0; each < 1200; each++) put(clone, `src/${each}.o`, `${each}`);
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /in no snapshot:\n {2}target\n {2}web\/\.env\.local\n {2}src\/0\.o\n/);
      // 20 are named of 1,200 objects and the two others.
      assert.match(said, /\n {2}… and 1182 more\n/);
    });

    it('is named where it was committed in a repository in it', async () => {
      await commit(branchAt('x', 'inner'), 'inner work');
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /1 commit that nothing else has:\n {2}inner: [0-9a-f]+ inner work\n/);
    });

    it('is named where it was committed and is not checked out any more', async () => {
      await userGit(workspace, 'branch', 'release', 'HEAD~1');
      await commit(branchAt('x'), 'on no branch');
      await userGit(branchAt('x'), 'switch', '-q', 'release');
      // What the original had checked out itself is known there, though no branch of it has it.
      await userGit(workspace, 'commit', '-q', '--amend', '-m', 'said better');
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /1 commit that nothing else has:\n {2}[0-9a-f]+ on no branch\n/);
      await userGit(branchAt('x'), 'branch', 'kept', 'HEAD@{1}');
      assert.doesNotMatch(await out('branch', 'rm', 'x', '--dry-run'), /commit/);
    });

    it('is merged also from a branch of git that was begun in it', async () => {
      await userGit(branchAt('x'), 'switch', '-q', '-c', 'topic');
      await userGit(branchAt('x'), 'add', '.');
      await commit(branchAt('x'), 'on a topic');
      rmSync(branchAt('x', 'inner'), { recursive: true });
      await userGit(branchAt('x'), 'reset', '-q', '--hard');
      assert.doesNotMatch(await out('branch', 'rm', 'x', '--dry-run'), /commit/, 'topic stays');
      await out('branch', 'take', 'x', '--merge', '--yes');
      assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'on a topic\n');
    });

    it('says how to go on after a merge that git could not finish', async () => {
      await commit(branchAt('x'), 'theirs');
      rmSync(branchAt('x', 'inner'), { recursive: true });
      await commit(workspace, 'ours');
      const { exitCode, stderr } = await ah('branch', 'take', 'x', '--merge', '--yes');
      assert.equal(exitCode, 1);
      assert.match(stderr, /could not merge it by itself: .*\n?.*CONFLICT[^]*git merge --abort/);
      await userGit(workspace, 'merge', '--abort');
      assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'ours\n');
    });

    it('can be discarded and taken back when the original has moved', async () => {
      put(branchAt('x'), 'found', 'it\n');
      const moved = path.join(place.path, 'moved');
      renameSync(workspace, moved);
      const refused = await ah('branch', 'take', 'x', '--yes');
      assert.match(
        refused.stderr,
        /where the branch comes from, is not there any more.*--moved-to/,
      );
      assert.doesNotMatch(refused.stderr, /should not have happened/);
      await out('branch', 'take', 'x', '--moved-to', moved, '--yes');
      assert.equal(readFileSync(path.join(moved, 'found'), 'utf8'), 'it\n');
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /What it changed cannot be said: .*prö ject, where it comes from, is not/);
      assert.ok(existsSync(branchAt('x', 'found')));
      await out('branch', 'rm', 'x', '--yes');
      assert.ok(!existsSync(branchAt('x')));
      assert.match(await out('branches'), /No branches yet/);
    });

    it('is not there to take back when its folder is gone', async () => {
      rmSync(branchAt('x'), { recursive: true });
      for (const more of [[], ['--merge']]) {
        const { exitCode, stderr } = await ah('branch', 'take', 'x', ...more);
        assert.equal(exitCode, 1);
        assert.match(stderr, /The folder of the branch, .*, is not there any more/);
      }
    });

    it('goes with the references that its snapshots had, and with none of the original’s', async () => {
      const held = () => userGit(workspace, 'for-each-ref', '--format=%(refname)', 'refs/ah');
      const before = await held();
      assert.match(before, /refs\/ah\/keep\//);
      // One with the commit that the original's have, one with a commit of its own.
      await out('branch', 'rm', 'x', '--dry-run');
      await commit(branchAt('x'), 'gone with it');
      await out('branch', 'rm', 'x', '--dry-run');
      assert.notEqual(await held(), before);
      await out('branch', 'rm', 'x', '--yes');
      assert.equal(await held(), before);
    });

    it('does not go with another one that it is inside of', async () => {
      const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
      const record = await registry.find('x');
      const destination = branchAt('x', 'deep/y');
      // As one that was made by hand, or moved there.
      await registry.put({ ...record, id: `${record.id}0`, name: 'y', destination });
      const { exitCode, stderr } = await ah('branch', 'rm', record.id, '--yes');
      assert.equal(exitCode, 1);
      assert.match(stderr, /remove “y” first/);
      assert.ok(existsSync(branchAt('x')));
    });
  });

  it('is named where the original had no commit yet, and goes without a trace', async () => {
    workspace = path.join(place.path, 'unborn');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q', '-b', 'main');
    put(workspace, 'a.txt', 'a\n');
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    for (const name of ['日本', '中国'])
      await out('branch', '--snapshot', '1', '--name', name, '--no-launch', '--json');
    await userGit(branchAt('日本'), 'add', '.');
    await userGit(branchAt('日本'), 'commit', '-qm', 'the very first');
    // Also when it is not checked out any more.
    await userGit(branchAt('日本'), 'switch', '-q', '--orphan', 'other');
    const said = await out('branch', 'rm', '日本', '--dry-run');
    assert.match(said, /1 commit that nothing else has:\n {2}[0-9a-f]+ the very first\n/);
    assert.doesNotMatch(await out('branch', 'rm', '中国', '--dry-run'), /commit/);
    await out('branch', 'rm', '日本', '--yes');
    assert.equal(await userGit(workspace, 'for-each-ref', 'refs/heads'), '');
  });

  describe('on Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it('is named with what is in its own repository alone: branches, stashes, ignored files', async () => {
      const folder = disk.current.subvolume('project');
      await branched(folder);
      const clone = branchAt('x');
      await userGit(clone, 'switch', '-q', '-c', 'topic');
      await commit(clone, 'on a topic');
      await userGit(clone, 'switch', '-q', 'main');
      put(clone, 'a.txt', 'put by\n');
      await userGit(clone, 'stash', '-q');
      put(clone, '.env', 'SECRET=2\n');
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /2 commits that nothing else has:\n.* on a topic\n.*WIP on main/);
      assert.match(said, /in no snapshot:\n {2}\.env\n/);
      assert.doesNotMatch(said, /first|target/, 'the original has these');
    });
  });
});
