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
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { committedRepository, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const TOO_LARGE = 60 * 1024 * 1024;

/** The work in a branch is listed before it is discarded. */
describe('the work in a branch', function () {
  this.timeout(120_000);
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);

  const branchAt = (...names: string[]) => path.join(`${workspace}.branches`, ...names);
  const put = (folder: string, name: string, text: string) =>
    writeFileSync(path.join(folder, name), text);

  const repository = (folder: string) => committedRepository(folder, { 'a.txt': 'a\n' });

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

    it('is listed even if no snapshot has it', async () => {
      const before = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(before, /Not in any snapshot \(ignored or too large\):\n {2}target\n/);
      assert.doesNotMatch(before, /\.env|\.ah|commit|Changes/, 'the original has the same');
      put(branchAt('x'), '.env', 'SECRET=2\n');
      put(branchAt('x'), 'found.log', 'it was this\n');
      put(branchAt('x'), 'huge', '');
      truncateSync(branchAt('x', 'huge'), TOO_LARGE);
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(
        said,
        /Not in any snapshot \(ignored or too large\):\n {2}\.env\n {2}found\.log\n {2}huge\n {2}target\n/,
      );
    });

    it('is listed before files of which there are many, and all files are counted', async () => {
      const clone = branchAt('x');
      put(clone, '.gitignore', '*.log\n.env*\ntarget/\n*.o\n');
      for (const name of ['src', 'web']) mkdirSync(path.join(clone, name));
      put(clone, 'src/main.c', 'int main;\n');
      put(clone, 'web/index.html', '<html>\n');
      put(clone, 'web/.env.local', 'SECRET=3\n');
      for (let each = 0; each < 1200; each++) put(clone, `src/${each}.o`, `${each}`);
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(
        said,
        /Not in any snapshot \(ignored or too large\):\n {2}target\n {2}web\/\.env\.local\n {2}src\/0\.o\n/,
      );
      // The list has 20 of the 1,202 files.
      assert.match(said, /\n {2}… and 1182 more\n/);
    });

    it('is listed if it was committed in a nested repository', async () => {
      await commit(branchAt('x', 'inner'), 'inner work');
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /1 commit only in this branch:\n {2}inner: [0-9a-f]+ inner work\n/);
    });

    it('is listed if its commit is no longer checked out', async () => {
      await userGit(workspace, 'branch', 'release', 'HEAD~1');
      await commit(branchAt('x'), 'on no branch');
      await userGit(branchAt('x'), 'switch', '-q', 'release');
      // The original's reflog has this commit, although none of its git branches does.
      await userGit(workspace, 'commit', '-q', '--amend', '-m', 'said better');
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /1 commit only in this branch:\n {2}[0-9a-f]+ on no branch\n/);
      await userGit(branchAt('x'), 'branch', 'kept', 'HEAD@{1}');
      assert.doesNotMatch(await out('branch', 'rm', 'x', '--dry-run'), /commit/);
    });

    it('is merged from a git branch that was created in it', async () => {
      await userGit(branchAt('x'), 'switch', '-q', '-c', 'topic');
      await userGit(branchAt('x'), 'add', '.');
      await commit(branchAt('x'), 'on a topic');
      rmSync(branchAt('x', 'inner'), { recursive: true });
      await userGit(branchAt('x'), 'reset', '-q', '--hard');
      assert.doesNotMatch(await out('branch', 'rm', 'x', '--dry-run'), /commit/, 'topic stays');
      await out('branch', 'take', 'x', '--merge', '--yes');
      assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'on a topic\n');
    });

    it('can be merged by hand after a conflict, and the message says how', async () => {
      await commit(branchAt('x'), 'theirs');
      rmSync(branchAt('x', 'inner'), { recursive: true });
      await commit(workspace, 'ours');
      const { exitCode, stderr } = await ah('branch', 'take', 'x', '--merge', '--yes');
      assert.equal(exitCode, 1);
      assert.match(stderr, /could not merge the branch: .*\n?.*CONFLICT[^]*git merge --abort/);
      await userGit(workspace, 'merge', '--abort');
      assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'ours\n');
    });

    it('can be discarded and applied after the original was moved', async () => {
      put(branchAt('x'), 'found', 'it\n');
      const moved = path.join(place.path, 'moved');
      renameSync(workspace, moved);
      const refused = await ah('branch', 'take', 'x', '--yes');
      assert.match(refused.stderr, /does not exist any more.*--moved-to/);
      assert.doesNotMatch(refused.stderr, /Internal error/);
      await out('branch', 'take', 'x', '--moved-to', moved, '--yes');
      assert.equal(readFileSync(path.join(moved, 'found'), 'utf8'), 'it\n');
      const said = await out('branch', 'rm', 'x', '--dry-run');
      assert.match(said, /Can't determine the branch's changes: .*prö ject does not exist/);
      assert.ok(existsSync(branchAt('x', 'found')));
      await out('branch', 'rm', 'x', '--yes');
      assert.ok(!existsSync(branchAt('x')));
      assert.match(await out('branches'), /No branches yet/);
    });

    it('can’t be applied when the branch’s folder is missing', async () => {
      rmSync(branchAt('x'), { recursive: true });
      for (const more of [[], ['--merge']]) {
        const { exitCode, stderr } = await ah('branch', 'take', 'x', ...more);
        assert.equal(exitCode, 1);
        assert.match(stderr, /The branch.s folder .* does not exist any more/);
      }
    });

    it('is removed with the references of its snapshots, but not those of the original', async () => {
      const held = () => userGit(workspace, 'for-each-ref', '--format=%(refname)', 'refs/ah');
      const before = await held();
      assert.match(before, /refs\/ah\/keep\//);
      // One snapshot has the original's commit, the other a commit of its own.
      await out('branch', 'rm', 'x', '--dry-run');
      await commit(branchAt('x'), 'gone with it');
      await out('branch', 'rm', 'x', '--dry-run');
      assert.notEqual(await held(), before);
      await out('branch', 'rm', 'x', '--yes');
      assert.equal(await held(), before);
    });

    it('is not removed with a branch around it', async () => {
      const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
      const record = await registry.find('x');
      const destination = branchAt('x', 'deep/y');
      // Registers a branch inside of this one, as if the user had moved its folder there.
      await registry.put({ ...record, id: `${record.id}0`, name: 'y', destination });
      const { exitCode, stderr } = await ah('branch', 'rm', record.id, '--yes');
      assert.equal(exitCode, 1);
      assert.match(stderr, /Discard “y” first/);
      assert.ok(existsSync(branchAt('x')));
    });
  });

  it('is listed if the original has no commit yet, and is removed completely', async () => {
    workspace = path.join(place.path, 'unborn');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q', '-b', 'main');
    put(workspace, 'a.txt', 'a\n');
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    for (const name of ['日本', '中国'])
      await out('branch', '--snapshot', '1', '--name', name, '--no-launch', '--json');
    await userGit(branchAt('日本'), 'add', '.');
    await userGit(branchAt('日本'), 'commit', '-qm', 'the very first');
    // The commit is listed even if it is no longer checked out.
    await userGit(branchAt('日本'), 'switch', '-q', '--orphan', 'other');
    const said = await out('branch', 'rm', '日本', '--dry-run');
    assert.match(said, /1 commit only in this branch:\n {2}[0-9a-f]+ the very first\n/);
    assert.doesNotMatch(await out('branch', 'rm', '中国', '--dry-run'), /commit/);
    await out('branch', 'rm', '日本', '--yes');
    assert.equal(await userGit(workspace, 'for-each-ref', 'refs/heads'), '');
  });

  describe('on Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it('is listed with its own git branches, stashes and ignored files', async () => {
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
      assert.match(said, /2 commits only in this branch:\n.* on a topic\n.*WIP on main/);
      assert.match(said, /Not in any snapshot \(ignored or too large\):\n {2}\.env\n/);
      assert.doesNotMatch(said, /first|target/, 'the original has these');
    });
  });
});
