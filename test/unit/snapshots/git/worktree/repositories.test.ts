import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  indexOf,
  openReal,
  take,
  tryUserGit,
  userGit,
} from '../../../../support/git/gitWorkspace.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { useGitWorkspace } from '../../../../support/git/useGitWorkspace.ts';

describe('git snapshots: repositories', () => {
  const work = useGitWorkspace();
  const signal = new AbortController().signal;

  /**
   * Checks that a clone has the files, the commit of HEAD and the index of the workspace, and is
   * removed without a trace.
   */
  async function expectExactClone(ref: string): Promise<void> {
    const destination = work.beside('clone');
    const before = fingerprint(path.join(work.path, '.git'));
    const clone = await work.provider.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(filesOnDisk(clone.workspace), filesOnDisk(work.path));
    assert.equal(await indexOf(clone.workspace), await indexOf(work.path));
    const head = ['rev-parse', '-q', '--verify', 'HEAD'];
    assert.equal(
      await userGit(clone.workspace, ...head).catch(() => 'unborn'),
      await userGit(work.path, ...head).catch(() => 'unborn'),
    );
    assert.equal(
      (await userGit(clone.workspace, 'status', '--porcelain')).trim(),
      (await userGit(work.path, '--no-optional-locks', 'status', '--porcelain')).trim(),
    );
    await work.provider.removeClone(destination);
    await assert.rejects(readFile(path.join(destination, '.git')), { code: 'ENOENT' });
    assert.deepEqual(fingerprint(path.join(work.path, '.git')), before);
  }

  it('stores HEAD, staged and unstaged changes separately', async () => {
    await userGit(work.path, 'init', '-q');
    await work.commit('a.txt', 'one\n');
    await work.put('a.txt', 'staged\n');
    await userGit(work.path, 'add', 'a.txt');
    await work.put('a.txt', 'on disk\n');
    await work.put('intended.txt', 'later\n');
    await userGit(work.path, 'add', '-N', 'intended.txt');
    await work.put('untracked.txt', 'x\n');
    const { ref } = await take(await work.open());
    await expectExactClone(ref);
    // Our store has the staged content too, so the clone has it even after the user dropped it and
    // collected garbage.
    const index = await indexOf(work.path);
    await userGit(work.path, 'reset', '-q', '--hard');
    await userGit(work.path, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(work.path, 'gc', '-q', '--prune=now');
    const destination = work.beside('later');
    const clone = await work.provider.clone({ ref, destination, name: 'later', signal });
    assert.equal(await indexOf(clone.workspace), index);
    assert.equal(await userGit(clone.workspace, 'show', ':a.txt'), 'staged\n');
    assert.equal(await readFile(path.join(clone.workspace, 'a.txt'), 'utf8'), 'on disk\n');
    await userGit(clone.workspace, 'commit', '-q', '-m', 'in the clone');
    await work.provider.removeClone(destination);
  });

  it('keeps the commit of HEAD after it was amended and garbage collected', async () => {
    await userGit(work.path, 'init', '-q');
    await work.commit('a.txt', 'one\n');
    const head = await userGit(work.path, 'rev-parse', 'HEAD');
    const { ref } = await take(await work.open());
    await userGit(work.path, 'commit', '-q', '--amend', '-m', 'other');
    await userGit(work.path, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(work.path, 'gc', '-q', '--prune=now');
    const destination = work.beside('clone');
    const clone = await work.provider.clone({ ref, destination, name: 'c', signal });
    assert.equal(await userGit(clone.workspace, 'rev-parse', 'HEAD'), head);
    await work.provider.removeClone(destination);
    // The reference is removed together with the last snapshot that needs it.
    const kept = () => userGit(work.path, 'for-each-ref', 'refs/ah');
    await take(work.provider);
    assert.match(await kept(), new RegExp(head.trim()));
    await work.provider.remove([ref]);
    assert.doesNotMatch(await kept(), new RegExp(head.trim()));
  });

  it('keeps commits independently of other git worktrees of the repository', async () => {
    await userGit(work.path, 'init', '-q');
    await work.commit('a.txt', 'one\n');
    const head = (await userGit(work.path, 'rev-parse', 'HEAD')).trim();
    const { ref } = await take(await work.open());
    const tree = work.beside('tree');
    await userGit(work.path, 'worktree', 'add', '-q', '--detach', tree);
    const other = await openReal(tree, work.beside('other'));
    try {
      const { ref: theirs } = await take(other);
      const refs = ['for-each-ref', '--format=%(objectname)', 'refs/ah'];
      const held = async () => (await userGit(work.path, ...refs)).split('\n');
      const isHead = (oid: string) => oid === head;
      assert.equal((await held()).filter(isHead).length, 2);
      await userGit(tree, 'commit', '-q', '--allow-empty', '-m', 'further');
      await userGit(tree, 'reset', '-q', '--hard'); // Creates ORIG_HEAD, whose commit is kept too.
      await take(other);
      await other.remove([theirs]);
      assert.equal((await held()).filter(isHead).length, 1);
    } finally {
      other.dispose();
    }
    await userGit(work.path, 'commit', '-q', '--amend', '-m', 'other');
    await userGit(work.path, 'worktree', 'remove', '--force', tree);
    await userGit(work.path, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(work.path, 'gc', '-q', '--prune=now');
    const clone = await work.provider.clone({
      ref,
      destination: work.beside('clone'),
      name: 'c',
      signal,
    });
    assert.equal((await userGit(clone.workspace, 'rev-parse', 'HEAD')).trim(), head);
  });

  it('stores an unborn HEAD', async () => {
    await userGit(work.path, 'init', '-q');
    await work.put('a.txt', 'a');
    await work.put('b.txt', 'b');
    await userGit(work.path, 'add', 'a.txt');
    const { ref } = await take(await work.open());
    await expectExactClone(ref);
  });

  it('stores a merge with conflicts, and an interrupted rebase', async () => {
    await userGit(work.path, 'init', '-q');
    await work.commit('a.txt', 'base\n');
    await userGit(work.path, 'checkout', '-q', '-b', 'side');
    await work.commit('a.txt', 'side\n');
    await userGit(work.path, 'checkout', '-q', 'main');
    await work.commit('a.txt', 'main\n');
    await work.open();
    assert.equal(await tryUserGit(work.path, 'merge', 'side'), false);
    const merging = await take(work.provider);
    await expectExactClone(merging.ref);
    await userGit(work.path, 'merge', '--abort');
    assert.equal(await tryUserGit(work.path, 'rebase', 'side'), false);
    const rebasing = await take(work.provider);
    const destination = work.beside('rebasing');
    const clone = await work.provider.clone({ ref: rebasing.ref, destination, name: 'r', signal });
    assert.match(await userGit(clone.workspace, 'status'), /rebas/);
    const branch = await userGit(work.path, 'rev-parse', 'main');
    await userGit(clone.workspace, 'checkout', '--ours', 'a.txt');
    await userGit(clone.workspace, 'add', 'a.txt');
    await tryUserGit(clone.workspace, 'rebase', '--skip');
    assert.equal(await userGit(work.path, 'rev-parse', 'main'), branch, 'no branch was moved');
    await work.provider.removeClone(destination);
  });

  it('stores a sparse checkout', async () => {
    await userGit(work.path, 'init', '-q');
    await work.put('in/a', 'a');
    await work.put('out/b', 'b');
    await work.commit('top', 'x');
    await userGit(work.path, 'sparse-checkout', 'set', 'in');
    const { ref } = await take(await work.open());
    await expectExactClone(ref);
  });

  it('stores a folder without a repository, and writes nothing to it', async () => {
    await work.put('a.txt', 'a');
    await work.put('.gitignore', 'ignored\n');
    await work.put('ignored', 'x');
    const { ref, omissions } = await take(await work.open());
    assert.deepEqual(omissions, [{ path: 'ignored', reason: 'ignored' }]);
    const expected = filesOnDisk(work.path, (name) => name === 'ignored');
    assert.deepEqual(await filesInTree(await work.provider.open(ref)), ordered(expected));
    const destination = work.beside('clone');
    const clone = await work.provider.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(filesOnDisk(clone.workspace), expected);
    await work.provider.removeClone(destination);
    // Now the folder becomes a repository.
    await userGit(work.path, 'init', '-q');
    await userGit(work.path, 'add', '-f', '.');
    const later = await take(work.provider, ['a.txt']);
    assert.deepEqual(
      await filesInTree(await work.provider.open(later.ref)),
      ordered(filesOnDisk(work.path)),
    );
  });

  it('notices changes that need a folder to be listed again, and rules above it', async () => {
    await userGit(work.path, 'init', '-q');
    await work.put('.gitignore', '*.log\n');
    await work.commit('part/p.txt', 'p');
    await work.put('part/logs/x.log', 'x');
    await work.put('part/y.tmp', 'y');
    await work.open(path.join(work.path, 'part'));
    const names = async () => {
      const { ref } = await take(work.provider);
      return [...(await filesInTree(await work.provider.open(ref))).keys()].sort();
    };
    // In the second and third round, the folder is not listed again.
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(await names(), ['p.txt', 'y.tmp']);
    }
    await work.put('part/logs/note', 'in a folder that had ignored files alone');
    assert.deepEqual(await names(), ['logs/note', 'p.txt', 'y.tmp']);
    await work.put('.gitignore', '*.tmp\n');
    assert.deepEqual(await names(), ['logs/note', 'logs/x.log', 'p.txt']);
    await rm(path.join(work.path, 'part/logs'), { recursive: true });
    await work.put('part/.gitignore', 'p.*\n');
    assert.deepEqual(await names(), ['.gitignore', 'p.txt']);
  });

  it('stores a subfolder of a repository', async () => {
    await userGit(work.path, 'init', '-q');
    await work.put('.gitignore', '*.log\n');
    await work.put('other/o.txt', 'o');
    await work.commit('part/p.txt', 'p');
    await work.put('part/x.log', 'x');
    await work.put('part/new', 'new');
    await work.put('other/new', 'not ours');
    const { ref, omissions } = await take(await work.open(path.join(work.path, 'part')));
    assert.deepEqual(omissions, [{ path: 'x.log', reason: 'ignored' }]);
    assert.deepEqual(
      [...(await filesInTree(await work.provider.open(ref))).keys()],
      ['new', 'p.txt'],
    );
    await work.put('part/new', 'changed');
    const second = await take(work.provider, ['new']);
    assert.deepEqual(await work.provider.diff(ref, second.ref, signal), [
      { path: 'new', kind: 'modified' },
    ]);
    const destination = work.beside('clone');
    const clone = await work.provider.clone({ ref: second.ref, destination, name: 'c', signal });
    assert.equal(clone.workspace, path.join(destination, 'part'));
    assert.equal(await userGit(clone.workspace, 'status', '--porcelain'), '?? part/new\n');
    await work.provider.removeClone(destination);
  });

  it('stores a folder that its repository ignores', async () => {
    await userGit(work.path, 'init', '-q');
    await work.put('.gitignore', '*\n');
    await work.put('inner/a', 'a');
    const { ref } = await take(await work.open(path.join(work.path, 'inner')));
    assert.deepEqual([...(await filesInTree(await work.provider.open(ref))).keys()], ['a']);
  });

  it('stores a linked git worktree', async () => {
    const main = work.beside('main');
    await mkdir(main);
    await userGit(main, 'init', '-q');
    await writeFile(path.join(main, 'a'), 'a');
    await userGit(main, 'add', '.');
    await userGit(main, 'commit', '-q', '-m', 'a');
    await rm(work.path, { recursive: true });
    await userGit(main, 'worktree', 'add', '-q', work.path, '-b', 'linked');
    await work.put('a', 'staged');
    await userGit(work.path, 'add', 'a');
    await work.put('b', 'b');
    const before = fingerprint(path.join(main, '.git'));
    const { ref } = await take(await work.open());
    assert.deepEqual(fingerprint(path.join(main, '.git')), before);
    const destination = work.beside('clone');
    const clone = await work.provider.clone({ ref, destination, name: 'c', signal });
    assert.equal(await userGit(clone.workspace, 'status', '--porcelain'), 'M  a\n?? b\n');
    await work.provider.removeClone(destination);
    assert.deepEqual(fingerprint(path.join(main, '.git')), before);
  });

  it('stores a repository with SHA-256 objects', async () => {
    await userGit(work.path, 'init', '-q', '--object-format=sha256');
    await work.commit('a.txt', 'one\n');
    await work.put('a.txt', 'staged\n');
    await userGit(work.path, 'add', 'a.txt');
    await work.put('b.txt', 'b\n');
    const { ref } = await take(await work.open());
    await expectExactClone(ref);
  });

  for (const [what, change] of Object.entries({
    'a line that git can’t read': '\n[broken',
    'the setting of a bare repository': '\n[core]\n\tbare = true\n',
  }))
    it(`stores the files while the configuration has ${what}, and all of it afterwards`, async () => {
      await userGit(work.path, 'init', '-q');
      await work.commit('a.txt', 'one\n');
      const config = path.join(work.path, '.git/config');
      const intact = await readFile(config, 'utf8');
      const expectFiles = async (provider: SnapshotProvider) => {
        const tree = await provider.open((await take(provider)).ref);
        assert.deepEqual(await filesInTree(tree), filesOnDisk(work.path));
      };
      await writeFile(config, intact + change);
      await expectFiles(await work.open());
      // Mended, broken again, and mended while the same provider is open.
      await writeFile(config, intact);
      await work.put('b.txt', 'two\n');
      await expectExactClone((await take(work.provider)).ref);
      await writeFile(config, intact + change);
      await work.put('c.txt', 'three\n');
      await expectFiles(work.provider);
      await writeFile(config, intact);
      await userGit(work.path, 'add', 'c.txt');
      await expectExactClone((await take(work.provider)).ref);
    });

  it('refuses folders that are too wide or have no files, with the reason', async () => {
    const storage = work.beside('storage');
    await assert.rejects(openReal('/', storage), { code: 'workspace-too-wide' });
    await assert.rejects(openReal(work.path, storage, { home: work.path }), {
      code: 'workspace-too-wide',
    });
    await userGit(work.path, 'init', '-q', '--bare');
    await assert.rejects(openReal(work.path, storage), { code: 'no-working-tree' });
    await assert.rejects(openReal(work.beside('none'), storage), {
      code: 'no-workspace',
    });
    await assert.rejects(openReal(work.beside(''), storage), { code: 'storage-in-workspace' });
  });
});

function ordered(files: Map<string, string>): Map<string, string> {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
