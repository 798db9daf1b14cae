import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotProvider } from '../../../../src/snapshots/provider.ts';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  indexOf,
  openReal,
  take,
  tryUserGit,
  userGit,
} from '../../../support/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('git snapshots: repositories', () => {
  const folder = useTemporaryFolder();
  const signal = new AbortController().signal;
  let workspace = '';
  let provider: SnapshotProvider | undefined;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'work');
    await mkdir(workspace);
    provider = undefined;
  });
  afterEach(() => provider?.dispose());

  async function put(name: string, content: string): Promise<void> {
    const file = path.join(workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async function commit(name: string, content: string): Promise<void> {
    await put(name, content);
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-q', '-m', name);
  }

  async function open(at = workspace): Promise<SnapshotProvider> {
    provider = await openReal(at, path.join(folder.path, 'storage'));
    return provider;
  }

  /** A clone has the files, the commit of HEAD and the index that the workspace has now, and is gone without a trace. */
  async function expectExactClone(ref: string): Promise<void> {
    const destination = path.join(folder.path, 'clone');
    const before = fingerprint(path.join(workspace, '.git'));
    const clone = await provider!.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(filesOnDisk(clone.workspace), filesOnDisk(workspace));
    assert.equal(await indexOf(clone.workspace), await indexOf(workspace));
    const head = ['rev-parse', '-q', '--verify', 'HEAD'];
    assert.equal(
      await userGit(clone.workspace, ...head).catch(() => 'unborn'),
      await userGit(workspace, ...head).catch(() => 'unborn'),
    );
    assert.equal(
      (await userGit(clone.workspace, 'status', '--porcelain')).trim(),
      (await userGit(workspace, '--no-optional-locks', 'status', '--porcelain')).trim(),
    );
    await provider!.removeClone(destination);
    await assert.rejects(readFile(path.join(destination, '.git')), { code: 'ENOENT' });
    assert.deepEqual(fingerprint(path.join(workspace, '.git')), before);
  }

  it('keeps HEAD, staged and unstaged apart', async () => {
    await userGit(workspace, 'init', '-q');
    await commit('a.txt', 'one\n');
    await put('a.txt', 'staged\n');
    await userGit(workspace, 'add', 'a.txt');
    await put('a.txt', 'on disk\n');
    await put('intended.txt', 'later\n');
    await userGit(workspace, 'add', '-N', 'intended.txt');
    await put('untracked.txt', 'x\n');
    const { ref } = await take(await open());
    await expectExactClone(ref);
    // What was staged is ours too: the user drops and collects it.
    const index = await indexOf(workspace);
    await userGit(workspace, 'reset', '-q', '--hard');
    await userGit(workspace, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(workspace, 'gc', '-q', '--prune=now');
    const destination = path.join(folder.path, 'later');
    const clone = await provider!.clone({ ref, destination, name: 'later', signal });
    assert.equal(await indexOf(clone.workspace), index);
    assert.equal(await userGit(clone.workspace, 'show', ':a.txt'), 'staged\n');
    assert.equal(await readFile(path.join(clone.workspace, 'a.txt'), 'utf8'), 'on disk\n');
    await userGit(clone.workspace, 'commit', '-q', '-m', 'in the clone');
    await provider!.removeClone(destination);
  });

  it('keeps the commit of HEAD when it is amended away and collected', async () => {
    await userGit(workspace, 'init', '-q');
    await commit('a.txt', 'one\n');
    const head = await userGit(workspace, 'rev-parse', 'HEAD');
    const { ref } = await take(await open());
    await userGit(workspace, 'commit', '-q', '--amend', '-m', 'other');
    await userGit(workspace, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(workspace, 'gc', '-q', '--prune=now');
    const destination = path.join(folder.path, 'clone');
    const clone = await provider!.clone({ ref, destination, name: 'c', signal });
    assert.equal(await userGit(clone.workspace, 'rev-parse', 'HEAD'), head);
    await provider!.removeClone(destination);
    // Removed with the last snapshot that needs it.
    const kept = () => userGit(workspace, 'for-each-ref', 'refs/ah');
    await take(provider!);
    assert.match(await kept(), new RegExp(head.trim()));
    await provider!.remove([ref]);
    assert.doesNotMatch(await kept(), new RegExp(head.trim()));
  });

  it('holds commits apart from other working trees of the repository', async () => {
    await userGit(workspace, 'init', '-q');
    await commit('a.txt', 'one\n');
    const head = (await userGit(workspace, 'rev-parse', 'HEAD')).trim();
    const { ref } = await take(await open());
    const tree = path.join(folder.path, 'tree');
    await userGit(workspace, 'worktree', 'add', '-q', '--detach', tree);
    const other = await openReal(tree, path.join(folder.path, 'other'));
    try {
      const { ref: theirs } = await take(other);
      const refs = ['for-each-ref', '--format=%(objectname)', 'refs/ah'];
      const held = async () => (await userGit(workspace, ...refs)).split('\n');
      const isHead = (oid: string) => oid === head;
      assert.equal((await held()).filter(isHead).length, 2);
      await userGit(tree, 'commit', '-q', '--allow-empty', '-m', 'further');
      await userGit(tree, 'reset', '-q', '--hard'); // ORIG_HEAD is kept too.
      await take(other);
      await other.remove([theirs]);
      assert.equal((await held()).filter(isHead).length, 1);
    } finally {
      other.dispose();
    }
    await userGit(workspace, 'commit', '-q', '--amend', '-m', 'other');
    await userGit(workspace, 'worktree', 'remove', '--force', tree);
    await userGit(workspace, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(workspace, 'gc', '-q', '--prune=now');
    const clone = await provider!.clone({
      ...{ ref, destination: path.join(folder.path, 'clone'), name: 'c', signal },
    });
    assert.equal((await userGit(clone.workspace, 'rev-parse', 'HEAD')).trim(), head);
  });

  it('keeps an unborn HEAD', async () => {
    await userGit(workspace, 'init', '-q');
    await put('a.txt', 'a');
    await put('b.txt', 'b');
    await userGit(workspace, 'add', 'a.txt');
    const { ref } = await take(await open());
    await expectExactClone(ref);
  });

  it('keeps a merge with conflicts, and a rebase that stopped', async () => {
    await userGit(workspace, 'init', '-q');
    await commit('a.txt', 'base\n');
    await userGit(workspace, 'checkout', '-q', '-b', 'side');
    await commit('a.txt', 'side\n');
    await userGit(workspace, 'checkout', '-q', 'main');
    await commit('a.txt', 'main\n');
    await open();
    assert.equal(await tryUserGit(workspace, 'merge', 'side'), false);
    const merging = await take(provider!);
    await expectExactClone(merging.ref);
    await userGit(workspace, 'merge', '--abort');
    assert.equal(await tryUserGit(workspace, 'rebase', 'side'), false);
    const rebasing = await take(provider!);
    const destination = path.join(folder.path, 'rebasing');
    const clone = await provider!.clone({ ref: rebasing.ref, destination, name: 'r', signal });
    assert.match(await userGit(clone.workspace, 'status'), /rebas/);
    const branch = await userGit(workspace, 'rev-parse', 'main');
    await userGit(clone.workspace, 'checkout', '--ours', 'a.txt');
    await userGit(clone.workspace, 'add', 'a.txt');
    await tryUserGit(clone.workspace, 'rebase', '--skip');
    assert.equal(await userGit(workspace, 'rev-parse', 'main'), branch, 'no branch was moved');
    await provider!.removeClone(destination);
  });

  it('keeps a sparse checkout', async () => {
    await userGit(workspace, 'init', '-q');
    await put('in/a', 'a');
    await put('out/b', 'b');
    await commit('top', 'x');
    await userGit(workspace, 'sparse-checkout', 'set', 'in');
    const { ref } = await take(await open());
    await expectExactClone(ref);
  });

  it('keeps a folder in no repository, and writes nothing to it', async () => {
    await put('a.txt', 'a');
    await put('.gitignore', 'ignored\n');
    await put('ignored', 'x');
    const { ref, omissions } = await take(await open());
    assert.deepEqual(omissions, [{ path: 'ignored', reason: 'ignored' }]);
    const expected = filesOnDisk(workspace, (name) => name === 'ignored');
    assert.deepEqual(await filesInTree(await provider!.open(ref)), ordered(expected));
    const destination = path.join(folder.path, 'clone');
    const clone = await provider!.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(filesOnDisk(clone.workspace), expected);
    await provider!.removeClone(destination);
    // It becomes a repository later on.
    await userGit(workspace, 'init', '-q');
    await userGit(workspace, 'add', '-f', '.');
    const later = await take(provider!, ['a.txt']);
    assert.deepEqual(
      await filesInTree(await provider!.open(later.ref)),
      ordered(filesOnDisk(workspace)),
    );
  });

  it('notices what a scan can only see by looking into a folder again, and rules above it', async () => {
    await userGit(workspace, 'init', '-q');
    await put('.gitignore', '*.log\n');
    await commit('part/p.txt', 'p');
    await put('part/logs/x.log', 'x');
    await put('part/y.tmp', 'y');
    await open(path.join(workspace, 'part'));
    const names = async () => {
      const { ref } = await take(provider!);
      return [...(await filesInTree(await provider!.open(ref))).keys()].sort();
    };
    // Three times, so that what a folder holds is remembered and not listed.
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(await names(), ['p.txt', 'y.tmp']);
    }
    await put('part/logs/note', 'in a folder that had ignored files alone');
    assert.deepEqual(await names(), ['logs/note', 'p.txt', 'y.tmp']);
    await put('.gitignore', '*.tmp\n');
    assert.deepEqual(await names(), ['logs/note', 'logs/x.log', 'p.txt']);
    await rm(path.join(workspace, 'part/logs'), { recursive: true });
    await put('part/.gitignore', 'p.*\n');
    assert.deepEqual(await names(), ['.gitignore', 'p.txt']);
  });

  it('keeps a folder of a repository by itself', async () => {
    await userGit(workspace, 'init', '-q');
    await put('.gitignore', '*.log\n');
    await put('other/o.txt', 'o');
    await commit('part/p.txt', 'p');
    await put('part/x.log', 'x');
    await put('part/new', 'new');
    await put('other/new', 'not ours');
    const { ref, omissions } = await take(await open(path.join(workspace, 'part')));
    assert.deepEqual(omissions, [{ path: 'x.log', reason: 'ignored' }]);
    assert.deepEqual([...(await filesInTree(await provider!.open(ref))).keys()], ['new', 'p.txt']);
    await put('part/new', 'changed');
    const second = await take(provider!, ['new']);
    assert.deepEqual(await provider!.diff(ref, second.ref, signal), [
      { path: 'new', kind: 'modified' },
    ]);
    const destination = path.join(folder.path, 'clone');
    const clone = await provider!.clone({ ref: second.ref, destination, name: 'c', signal });
    assert.equal(clone.workspace, path.join(destination, 'part'));
    assert.equal(await userGit(clone.workspace, 'status', '--porcelain'), '?? part/new\n');
    await provider!.removeClone(destination);
  });

  it('keeps a folder that the repository around it ignores', async () => {
    await userGit(workspace, 'init', '-q');
    await put('.gitignore', '*\n');
    await put('inner/a', 'a');
    const { ref } = await take(await open(path.join(workspace, 'inner')));
    assert.deepEqual([...(await filesInTree(await provider!.open(ref))).keys()], ['a']);
  });

  it('keeps a linked working tree', async () => {
    const main = path.join(folder.path, 'main');
    await mkdir(main);
    await userGit(main, 'init', '-q');
    await writeFile(path.join(main, 'a'), 'a');
    await userGit(main, 'add', '.');
    await userGit(main, 'commit', '-q', '-m', 'a');
    await rm(workspace, { recursive: true });
    await userGit(main, 'worktree', 'add', '-q', workspace, '-b', 'linked');
    await put('a', 'staged');
    await userGit(workspace, 'add', 'a');
    await put('b', 'b');
    const before = fingerprint(path.join(main, '.git'));
    const { ref } = await take(await open());
    assert.deepEqual(fingerprint(path.join(main, '.git')), before);
    const destination = path.join(folder.path, 'clone');
    const clone = await provider!.clone({ ref, destination, name: 'c', signal });
    assert.equal(await userGit(clone.workspace, 'status', '--porcelain'), 'M  a\n?? b\n');
    await provider!.removeClone(destination);
    assert.deepEqual(fingerprint(path.join(main, '.git')), before);
  });

  it('keeps a repository with SHA-256 objects', async () => {
    await userGit(workspace, 'init', '-q', '--object-format=sha256');
    await commit('a.txt', 'one\n');
    await put('a.txt', 'staged\n');
    await userGit(workspace, 'add', 'a.txt');
    await put('b.txt', 'b\n');
    const { ref } = await take(await open());
    await expectExactClone(ref);
  });

  it('refuses what is too wide or has no files, in a sentence', async () => {
    const storage = path.join(folder.path, 'storage');
    await assert.rejects(openReal('/', storage), { code: 'workspace-too-wide' });
    await assert.rejects(openReal(workspace, storage, { home: workspace }), {
      code: 'workspace-too-wide',
    });
    await userGit(workspace, 'init', '-q', '--bare');
    await assert.rejects(openReal(workspace, storage), { code: 'no-working-tree' });
    await assert.rejects(openReal(path.join(folder.path, 'none'), storage), {
      code: 'no-workspace',
    });
    await assert.rejects(openReal(folder.path, storage), { code: 'storage-in-workspace' });
  });
});

function ordered(files: Map<string, string>): Map<string, string> {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
