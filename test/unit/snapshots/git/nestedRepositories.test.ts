import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotProvider } from '../../../../src/snapshots/provider.ts';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  openReal,
  take,
  userGit,
} from '../../../support/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('git snapshots: repositories in a repository', () => {
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

  async function open(): Promise<SnapshotProvider> {
    provider = await openReal(workspace, path.join(folder.path, 'storage'));
    return provider;
  }

  /** Of a library that is elsewhere; not committed yet. */
  async function addSubmodule(): Promise<void> {
    const library = path.join(folder.path, 'library');
    await mkdir(library);
    await userGit(library, 'init', '-q');
    await writeFile(path.join(library, 'lib.c'), 'lib\n');
    await userGit(library, 'add', '.');
    await userGit(library, 'commit', '-q', '-m', 'lib');
    await userGit(workspace, 'init', '-q');
    await commit('a.txt', 'a\n');
    await userGit(workspace, 'submodule', '--quiet', 'add', library, 'sub');
  }

  it('keeps them and submodules with their own uncommitted work', async () => {
    await addSubmodule();
    await userGit(workspace, 'commit', '-q', '-m', 'sub');
    await put('sub/lib.c', 'staged in sub\n');
    await userGit(path.join(workspace, 'sub'), 'add', '.');
    await put('sub/lib.c', 'changed in sub\n');
    await put('sub/new.c', 'new\n');
    await mkdir(path.join(workspace, 'vendor/inner/deeper'), { recursive: true });
    await userGit(path.join(workspace, 'vendor/inner'), 'init', '-q');
    await put('vendor/inner/x', 'x');
    await userGit(path.join(workspace, 'vendor/inner/deeper'), 'init', '-q');
    await put('vendor/inner/deeper/y', 'y');
    const fingerprints = () =>
      ['.git', 'vendor/inner/.git', 'vendor/inner/deeper/.git'].map((name) =>
        fingerprint(path.join(workspace, name)),
      );
    const before = fingerprints();
    const { ref } = await take(await open());
    assert.deepEqual(fingerprints(), before);
    assert.deepEqual(await filesInTree(await provider!.open(ref)), ordered(filesOnDisk(workspace)));

    const destination = path.join(folder.path, 'clone');
    const clone = await provider!.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(filesOnDisk(clone.workspace), filesOnDisk(workspace));
    const there = path.join(clone.workspace, 'sub');
    assert.equal(await userGit(there, 'show', ':lib.c'), 'staged in sub\n');
    assert.match(await userGit(there, 'status', '--porcelain'), /^MM lib\.c\n\?\? new\.c$/m);
    assert.equal(
      await userGit(path.join(clone.workspace, 'vendor/inner'), 'status', '--porcelain'),
      '?? deeper/\n?? x\n',
    );
    await provider!.removeClone(destination);

    await put('vendor/inner/deeper/y', 'changed');
    const second = await take(provider!, ['vendor/inner/deeper/y']);
    assert.deepEqual(await provider!.diff(ref, second.ref, signal), [
      { path: 'vendor/inner/deeper/y', kind: 'modified' },
    ]);
    // Work that touches an inner repository's index alone is a change as well.
    await userGit(path.join(workspace, 'vendor/inner/deeper'), 'add', 'y');
    assert.equal((await take(provider!, [])).isUnchanged, false);
    // It stops being a repository, and another folder becomes one.
    await rm(path.join(workspace, 'vendor/inner/.git'), { recursive: true });
    await put('plain/z', 'z');
    await take(provider!);
    await userGit(path.join(workspace, 'plain'), 'init', '-q');
    for (const changed of [['plain/.git'], undefined]) {
      const third = await take(provider!, changed);
      assert.deepEqual(
        await filesInTree(await provider!.open(third.ref)),
        ordered(filesOnDisk(workspace)),
      );
    }
  });

  for (const isBorn of [true, false])
    it(`keeps each once when one comes around another (${isBorn ? 'with' : 'without'} a commit)`, async () => {
      await userGit(workspace, 'init', '-q');
      await commit('inner/file', 'tracked\n');
      const innermost = path.join(workspace, 'inner/innermost');
      await put('inner/innermost/x', 'x\n');
      await userGit(innermost, 'init', '-q');
      if (isBorn) {
        await userGit(innermost, 'add', '.');
        await userGit(innermost, 'commit', '-q', '-m', 'x');
      }
      await open();
      await take(provider!);
      await userGit(path.join(workspace, 'inner'), 'init', '-q');
      const { ref } = await take(provider!);
      const repositories = await provider!.repositories!(ref);
      assert.deepEqual(
        repositories.map(({ path: name }) => name),
        ['', 'inner', 'inner/innermost'],
      );
      const before = fingerprint(path.join(innermost, '.git'));
      const destination = path.join(folder.path, 'clone');
      await provider!.clone({ ref, destination, name: 'c', signal });
      await provider!.removeClone(destination);
      assert.deepEqual(fingerprint(path.join(innermost, '.git')), before);
    });

  it('keeps one whose list of submodules is damaged, as a merge leaves it', async () => {
    await addSubmodule();
    await put('.gitmodules', '<<<<<<< HEAD\n[submodule "sub"]\n=======\n>>>>>>> side\n');
    const { ref } = await take(await open());
    const tree = await provider!.open(ref);
    assert.match(Buffer.from(await tree.read('.gitmodules')).toString(), /^<<<<<<< HEAD/);
    assert.equal(Buffer.from(await tree.read('sub/lib.c')).toString(), 'lib\n');
    await put('a.txt', 'changed\n');
    const next = await take(provider!, ['a.txt']);
    assert.notEqual(next.ref, ref);
  });
});

function ordered(files: Map<string, string>): Map<string, string> {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
