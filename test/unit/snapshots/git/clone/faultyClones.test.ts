import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import type { Files } from '../../../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { failingGit, useGitFaults, withCode } from '../../../../support/git/gitFaults.ts';
import { openReal, take, userGit } from '../../../../support/git/gitWorkspace.ts';

const { signal } = new AbortController();

describe('git snapshots that are removed, cloned and scrubbed, when git or the disk fails', () => {
  const { at, put, open, namesIn } = useGitFaults();

  describe('removing', () => {
    it('removes snapshots of a deleted folder, and skips one that another process removed', async () => {
      let isGone = false;
      const remove: Files['remove'] = async (file) => {
        if (isGone && file.includes('snapshots/')) await nodeFiles.remove(file);
        return nodeFiles.remove(file);
      };
      const provider = await open({ files: { ...nodeFiles, remove } });
      const { ref } = await take(provider);
      rmSync(at('w'), { recursive: true });
      isGone = true;
      await provider.remove([ref]);
      assert.deepEqual(await provider.list(), []);
    });

    it("keeps a snapshot whose reference can't be removed", async () => {
      const remove: Files['remove'] = (file) =>
        file.includes('snapshots/') ? Promise.reject(withCode('EROFS')) : nodeFiles.remove(file);
      const provider = await open({ files: { ...nodeFiles, remove } });
      const { ref } = await take(provider);
      await assert.rejects(provider.remove([ref]), { code: 'permission-denied' });
      assert.deepEqual(await namesIn(provider, ref), ['a']);
    });
  });

  describe('cloning', () => {
    const clone = (provider: SnapshotProvider, ref: string) =>
      provider.clone({ ref, destination: at('clone'), name: 'c', signal });

    it('leaves nothing behind if it fails, and reports a full disk', async () => {
      await userGit(at('w'), 'init', '-q');
      await userGit(at('w'), 'add', '.');
      await userGit(at('w'), 'commit', '-qm', 'first');
      const { ref } = await take(await open());
      const makeFolder: Files['makeFolder'] = (place) =>
        place.endsWith('/empty') ? Promise.reject(withCode('EIO')) : nodeFiles.makeFolder(place);
      mkdirSync(at('w/empty'));
      const second = await take(await open());
      assert.notEqual(second.ref, ref);
      const broken = await open({ files: { ...nodeFiles, makeFolder } });
      await assert.rejects(clone(broken, second.ref), { code: 'EIO' });
      assert.ok(!existsSync(at('clone')));
      assert.equal(
        await userGit(at('w'), 'worktree', 'list').then((text) => text.split('\n').length),
        2,
      );
      const write: Files['write'] = (file, ...more) =>
        file.endsWith('.ah-probe')
          ? Promise.reject(withCode('ENOSPC'))
          : nodeFiles.write(file, ...more);
      const full = await open({ files: { ...nodeFiles, makeFolder, write } });
      await assert.rejects(clone(full, second.ref), { code: 'disk-full' });
      assert.ok(!existsSync(at('clone')));
    });

    it('contains only files if the repository is no longer trusted', async () => {
      await userGit(at('w'), 'init', '-q');
      const { ref } = await take(await open());
      let isUntrusted = false;
      const exec = failingGit(
        ['rev-parse', '--is-inside-work-tree'],
        'fatal: detected dubious ownership',
        () => isUntrusted,
      );
      const provider = await open({ exec });
      isUntrusted = true;
      const { workspace, repositories } = await clone(provider, ref);
      assert.deepEqual(
        [readdirSync(workspace), repositories],
        [['a'], [{ path: '', isLinked: false }]],
      );
      await provider.removeClone(at('clone'));
    });

    it('of a partial workspace contains only files if its commit is gone', async () => {
      await userGit(at('w'), 'init', '-q');
      put('sub/file', 'kept');
      await userGit(at('w'), 'add', '.');
      await userGit(at('w'), 'commit', '-qm', 'first');
      const provider = await openReal(at('w/sub'), at('storage'));
      try {
        const { ref } = await take(provider);
        rmSync(at('w/.git'), { recursive: true });
        await userGit(at('w'), 'init', '-q');
        const { workspace, repositories } = await clone(provider, ref);
        assert.deepEqual(readdirSync(workspace), ['file']);
        assert.deepEqual(repositories, [{ path: '', isLinked: false }]);
        await provider.removeClone(at('clone'));
      } finally {
        provider.dispose();
      }
    });

    it("keeps a clone whose note can't be read", async () => {
      const { ref } = await take(await open());
      await clone(await open(), ref);
      const read: Files['read'] = (file) =>
        file.includes('clones/') ? Promise.reject(withCode('EIO')) : nodeFiles.read(file);
      const broken = await open({ files: { ...nodeFiles, read } });
      await assert.rejects(broken.removeClone(at('clone')), { code: 'EIO' });
      assert.deepEqual(readdirSync(at('clone')), ['a']);
      await (await open()).removeClone(at('clone'));
    });

    it('does not move the branches that an interrupted rebase would move', async () => {
      const git = (...args: string[]) => userGit(at('w'), ...args);
      await git('init', '-q', '-b', 'main');
      await git('add', '.');
      await git('commit', '-qm', 'first');
      await git('checkout', '-q', '-b', 'lower');
      put('b', 'lower');
      await git('add', '.');
      await git('commit', '-qm', 'lower');
      await git('checkout', '-q', '-b', 'upper');
      put('a', 'upper');
      await git('commit', '-qam', 'upper');
      await git('checkout', '-q', 'main');
      put('a', 'main');
      await git('commit', '-qam', 'main');
      await git('checkout', '-q', 'upper');
      await assert.rejects(git('rebase', '-q', '--update-refs', 'main'));
      assert.ok(existsSync(at('w/.git/rebase-merge/update-refs')));
      const provider = await open();
      const { ref } = await take(provider);
      const { workspace } = await clone(provider, ref);
      const gitDir = (await userGit(workspace, 'rev-parse', '--absolute-git-dir')).trim();
      assert.ok(existsSync(path.join(gitDir, 'rebase-merge')));
      assert.ok(!existsSync(path.join(gitDir, 'rebase-merge/update-refs')));
      await provider.removeClone(at('clone'));
    });
  });

  describe('scrubbing', () => {
    const scrubWith =
      (word: string, replacement: string) =>
      (bytes: Uint8Array): Uint8Array | undefined => {
        const text = Buffer.from(bytes).toString('latin1');
        return text.includes(word)
          ? Buffer.from(text.replaceAll(word, replacement), 'latin1')
          : undefined;
      };

    it('rewrites exactly the snapshots with the text, in every folder', async () => {
      const provider = await open();
      const clean = (await take(provider)).ref;
      put('sub/one', 'a secret');
      put('sub/two', 'a secret');
      put('again/one', 'a secret');
      const dirty = (await take(provider)).ref;
      put('a', 'changed');
      const later = (await take(provider)).ref;
      const replaced = await provider.prepareScrub!(scrubWith('secret', '******'), signal);
      assert.deepEqual((await provider.list()).toSorted(), [clean, dirty, later].sort());
      await provider.finishScrub!(replaced);
      await provider.verifyScrub!(scrubWith('secret', '******'), signal);
      assert.deepEqual([...replaced.keys()].sort(), [dirty, later].sort());
      const tree = await provider.open(replaced.get(dirty)!);
      for (const name of ['sub/one', 'sub/two', 'again/one'])
        assert.equal(Buffer.from(await tree.read(name)).toString(), 'a ******');
      assert.deepEqual(await namesIn(provider, clean), ['a']);
    });

    it('does not report success while the text is still there', async () => {
      const provider = await open();
      put('one', 'a secret');
      await take(provider);
      const scrub = scrubWith('secret', 'secret!');
      await provider.finishScrub!(await provider.prepareScrub!(scrub, signal));
      await assert.rejects(provider.verifyScrub!(scrub, signal), /still in object/);
    });
  });
});
