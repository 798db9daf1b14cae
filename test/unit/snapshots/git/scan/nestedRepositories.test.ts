import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  take,
  userGit,
} from '../../../../support/git/gitWorkspace.ts';
import { useGitWorkspace } from '../../../../support/git/useGitWorkspace.ts';

describe('git snapshots: repositories in a repository', () => {
  const work = useGitWorkspace();
  const signal = new AbortController().signal;

  /** A submodule of a library elsewhere; not committed yet. */
  async function addSubmodule(): Promise<void> {
    const library = work.beside('library');
    await mkdir(library);
    await userGit(library, 'init', '-q');
    await writeFile(path.join(library, 'lib.c'), 'lib\n');
    await userGit(library, 'add', '.');
    await userGit(library, 'commit', '-q', '-m', 'lib');
    await userGit(work.path, 'init', '-q');
    await work.commit('a.txt', 'a\n');
    await userGit(work.path, 'submodule', '--quiet', 'add', library, 'sub');
  }

  it('includes them and submodules with their uncommitted work', async () => {
    await addSubmodule();
    await userGit(work.path, 'commit', '-q', '-m', 'sub');
    await work.put('sub/lib.c', 'staged in sub\n');
    await userGit(path.join(work.path, 'sub'), 'add', '.');
    await work.put('sub/lib.c', 'changed in sub\n');
    await work.put('sub/new.c', 'new\n');
    await mkdir(path.join(work.path, 'vendor/inner/deeper'), { recursive: true });
    await userGit(path.join(work.path, 'vendor/inner'), 'init', '-q');
    await work.put('vendor/inner/x', 'x');
    await userGit(path.join(work.path, 'vendor/inner/deeper'), 'init', '-q');
    await work.put('vendor/inner/deeper/y', 'y');
    const fingerprints = () =>
      ['.git', 'vendor/inner/.git', 'vendor/inner/deeper/.git'].map((name) =>
        fingerprint(path.join(work.path, name)),
      );
    const before = fingerprints();
    const { ref } = await take(await work.open());
    assert.deepEqual(fingerprints(), before);
    assert.deepEqual(
      await filesInTree(await work.provider.open(ref)),
      ordered(filesOnDisk(work.path)),
    );

    const destination = work.beside('clone');
    const clone = await work.provider.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(filesOnDisk(clone.workspace), filesOnDisk(work.path));
    const there = path.join(clone.workspace, 'sub');
    assert.equal(await userGit(there, 'show', ':lib.c'), 'staged in sub\n');
    assert.match(await userGit(there, 'status', '--porcelain'), /^MM lib\.c\n\?\? new\.c$/m);
    assert.equal(
      await userGit(path.join(clone.workspace, 'vendor/inner'), 'status', '--porcelain'),
      '?? deeper/\n?? x\n',
    );
    await work.provider.removeClone(destination);

    await work.put('vendor/inner/deeper/y', 'changed');
    const second = await take(work.provider, ['vendor/inner/deeper/y']);
    assert.deepEqual(await work.provider.diff(ref, second.ref, signal), [
      { path: 'vendor/inner/deeper/y', kind: 'modified' },
    ]);
    // A change of only the index of an inner repository is a change as well.
    await userGit(path.join(work.path, 'vendor/inner/deeper'), 'add', 'y');
    assert.equal((await take(work.provider, [])).isUnchanged, false);
    // One folder stops being a repository, and another one becomes a repository.
    await rm(path.join(work.path, 'vendor/inner/.git'), { recursive: true });
    await work.put('plain/z', 'z');
    await take(work.provider);
    await userGit(path.join(work.path, 'plain'), 'init', '-q');
    for (const changed of [['plain/.git'], undefined]) {
      const third = await take(work.provider, changed);
      assert.deepEqual(
        await filesInTree(await work.provider.open(third.ref)),
        ordered(filesOnDisk(work.path)),
      );
    }
  });

  for (const isBorn of [true, false])
    it(`includes each once if one is created around another (${isBorn ? 'with' : 'without'} a commit)`, async () => {
      await userGit(work.path, 'init', '-q');
      await work.commit('inner/file', 'tracked\n');
      const innermost = path.join(work.path, 'inner/innermost');
      await work.put('inner/innermost/x', 'x\n');
      await userGit(innermost, 'init', '-q');
      if (isBorn) {
        await userGit(innermost, 'add', '.');
        await userGit(innermost, 'commit', '-q', '-m', 'x');
      }
      await work.open();
      await take(work.provider);
      await userGit(path.join(work.path, 'inner'), 'init', '-q');
      const { ref } = await take(work.provider);
      const repositories = await work.provider.repositories!(ref);
      assert.deepEqual(
        repositories.map(({ path: name }) => name),
        ['', 'inner', 'inner/innermost'],
      );
      const before = fingerprint(path.join(innermost, '.git'));
      const destination = work.beside('clone');
      await work.provider.clone({ ref, destination, name: 'c', signal });
      await work.provider.removeClone(destination);
      assert.deepEqual(fingerprint(path.join(innermost, '.git')), before);
    });

  it('includes one whose list of submodules is damaged, as by a merge', async () => {
    await addSubmodule();
    await work.put('.gitmodules', '<<<<<<< HEAD\n[submodule "sub"]\n=======\n>>>>>>> side\n');
    const { ref } = await take(await work.open());
    const tree = await work.provider.open(ref);
    assert.match(Buffer.from(await tree.read('.gitmodules')).toString(), /^<<<<<<< HEAD/);
    assert.equal(Buffer.from(await tree.read('sub/lib.c')).toString(), 'lib\n');
    await work.put('a.txt', 'changed\n');
    const next = await take(work.provider, ['a.txt']);
    assert.notEqual(next.ref, ref);
  });
});

function ordered(files: Map<string, string>): Map<string, string> {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
