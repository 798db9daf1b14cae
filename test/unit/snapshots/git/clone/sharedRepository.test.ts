import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import type { Files } from '../../../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { fingerprint, openReal, take, userGit } from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

/** Clones are git worktrees of a repository that others use too, including other clones. */
describe('git snapshots: clones in one repository', () => {
  const folder = useTemporaryFolder();
  const signal = new AbortController().signal;
  const opened: SnapshotProvider[] = [];
  let workspace = '';

  beforeEach(async () => {
    workspace = path.join(folder.path, 'work');
    await mkdir(workspace);
    await userGit(workspace, 'init', '-q');
    await writeFile(path.join(workspace, 'a.txt'), 'a\n');
  });
  afterEach(() => {
    for (const provider of opened.splice(0)) provider.dispose();
  });

  const at = (name: string) => path.join(folder.path, name);

  async function open(at: string, files: Files = nodeFiles): Promise<SnapshotProvider> {
    const storage = path.join(folder.path, `storage-${path.basename(at)}`);
    const provider = await openReal(at, storage, { files });
    opened.push(provider);
    return provider;
  }

  async function commitAll(place: string): Promise<void> {
    await userGit(place, 'add', '.');
    await userGit(place, 'commit', '-q', '-m', path.basename(place));
  }

  async function linkOf(place: string): Promise<string> {
    return (await readFile(path.join(place, '.git'), 'utf8')).trim().slice('gitdir: '.length);
  }

  describe('of two git worktrees, at the same time', () => {
    let second: SnapshotProvider;
    let secondRef = '';

    beforeEach(async () => {
      await commitAll(workspace);
      await userGit(workspace, 'worktree', 'add', '-q', at('tree'), '-b', 'side');
      second = await open(at('tree'));
      secondRef = (await take(second)).ref;
    });

    /** A provider that notes a name for its worktree, which another provider claims right after. */
    async function overtaken(then: () => void): Promise<SnapshotProvider> {
      let isOvertaken = false;
      const files: Files = {
        ...nodeFiles,
        write: async (file, ...rest) => {
          await nodeFiles.write(file, ...rest);
          if (isOvertaken || !file.includes('/clones/')) return;
          isOvertaken = true;
          const destination = at('second');
          await second.clone({ ref: secondRef, destination, name: 'same', signal });
          then();
        },
      };
      return open(workspace, files);
    }

    it('each have their own HEAD and index', async () => {
      const first = await overtaken(() => {});
      const { ref } = await take(first);
      await first.clone({ ref, destination: at('first'), name: 'same', signal });
      assert.notEqual(await linkOf(at('first')), await linkOf(at('second')));
      const before = fingerprint(await linkOf(at('second')));
      await writeFile(at('first/new.txt'), 'new\n');
      await commitAll(at('first'));
      assert.deepEqual(fingerprint(await linkOf(at('second'))), before);
      await first.removeClone(at('first'));
      assert.equal(await userGit(at('second'), 'status', '--porcelain'), '');
      await second.removeClone(at('second'));
      assert.deepEqual(readdirSync(path.join(workspace, '.git/worktrees')), ['tree']);
    });

    it('are not removed with one that came too late', async () => {
      const first = await overtaken(() => {
        throw new Error('It ends here.');
      });
      const { ref } = await take(first);
      const request = { ref, destination: at('first'), name: 'same', signal };
      await assert.rejects(first.clone(request), /It ends here/);
      // Removes the incomplete clone, as a cleanup after a kill does.
      await first.removeClone(at('first'));
      assert.equal(await userGit(at('second'), 'status', '--porcelain'), '');
      assert.deepEqual(readdirSync(path.join(workspace, '.git/worktrees')).sort(), [
        'ah-same',
        'tree',
      ]);
    });
  });

  describe('before its first commit', () => {
    let provider: SnapshotProvider;
    let ref = '';

    beforeEach(async () => {
      provider = await open(workspace);
      ref = (await take(provider)).ref;
    });

    async function clone(name: string): Promise<string> {
      await provider.clone({ ref, destination: at(name), name: 'branch', signal });
      return at(name);
    }

    it('each have their own first commit, and leave nothing of it', async () => {
      const before = fingerprint(path.join(workspace, '.git'));
      const [one, two] = [await clone('one'), await clone('two')];
      await commitAll(one);
      assert.match(await userGit(two, 'status'), /No commits yet/);
      await commitAll(two);
      assert.equal(await userGit(one, 'log', '--format=%s'), 'one\n');
      assert.equal(await userGit(two, 'log', '--format=%s'), 'two\n');
      await provider.removeClone(one);
      assert.equal(await userGit(two, 'log', '--format=%s'), 'two\n');
      assert.match(await userGit(await clone('one'), 'status'), /No commits yet/);
      await provider.removeClone(one);
      await provider.removeClone(two);
      assert.equal(await userGit(workspace, 'for-each-ref'), '');
      const after = fingerprint(path.join(workspace, '.git'));
      const isObject = (name: string) => name.startsWith('objects/');
      for (const name of after.keys()) if (isObject(name)) after.delete(name);
      for (const name of before.keys()) if (isObject(name)) before.delete(name);
      assert.deepEqual(after, before);
    });

    it('take no existing branch, and keep one that is checked out elsewhere', async () => {
      await commitAll(workspace);
      await userGit(workspace, 'branch', 'ah-branch');
      await userGit(workspace, 'branch', 'ah-branch-2/deep');
      const one = await clone('one');
      assert.match(await userGit(one, 'status'), /No commits yet/);
      await commitAll(one);
      const own = (await userGit(one, 'symbolic-ref', '--short', 'HEAD')).trim();
      await userGit(one, 'checkout', '-q', '--detach');
      await userGit(workspace, 'worktree', 'add', '-q', at('adopted'), own);
      await provider.removeClone(one);
      assert.equal(await userGit(at('adopted'), 'log', '--format=%s'), 'one\n');
      assert.ok(existsSync(path.join(workspace, '.git/refs/heads/ah-branch')));
    });
  });
});
