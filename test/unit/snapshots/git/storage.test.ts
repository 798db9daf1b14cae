import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { symlinkSync, watch, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../../src/snapshots/common/provider.ts';
import { nodeExec } from '../../../../src/platform/node/processes/exec.ts';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import { acquireLock } from '../../../../src/snapshots/git/storageLock.ts';
import { until } from '../../../support/ah.ts';
import {
  filesInTree,
  openReal,
  realPorts,
  take,
  userGit,
} from '../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('git snapshots: storage', () => {
  const folder = useTemporaryFolder();
  let workspace = '';
  let storage = '';
  const open: SnapshotProvider[] = [];

  beforeEach(() => {
    workspace = path.join(folder.path, 'w');
    storage = path.join(folder.path, 'storage');
    mkdirSync(workspace);
    put('a', 'a');
  });
  afterEach(() => open.splice(0).forEach((provider) => provider.dispose()));

  function put(name: string, content: string): void {
    writeFileSync(path.join(workspace, name), content);
  }

  async function provide(more = {}): Promise<SnapshotProvider> {
    const provider = await openReal(workspace, storage, more);
    open.push(provider);
    return provider;
  }

  it("packs the user's objects without a file of ours in the repository, even for a moment", async () => {
    await userGit(workspace, 'init', '-q');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    const seen = new Set<string | null>();
    const watcher = watch(path.join(workspace, '.git/objects/pack'), (_event, name) => {
      seen.add(name);
    });
    try {
      const provider = await provide();
      // The first snapshot packs the objects of HEAD; the second one packs staged content, of which
      // there is much.
      await take(provider);
      for (let number = 0; number < 120; number += 1) put(`staged-${number}`, `${number}`);
      await userGit(workspace, 'add', '.');
      for (let number = 0; number < 120; number += 1) put(`staged-${number}`, 'changed since');
      await take(provider);
      // All objects exist by now, so this file is the last change that the watcher reports.
      writeFileSync(path.join(workspace, '.git/objects/pack/last'), '');
      await until(() => seen.has('last'), 'the watcher');
      assert.deepEqual([...seen], ['last']);
      assert.deepEqual(readdirSync(path.join(storage, 'store.git/objects')).sort(), [
        'info',
        'pack',
      ]);
    } finally {
      watcher.close();
    }
  });

  it('reports what snapshots cost, removes them, and keeps the others intact', async () => {
    const provider = await provide();
    put('big', 'x'.repeat(10) + Array.from({ length: 20_000 }, Math.random).join(''));
    const big = await take(provider);
    put('big', 'small');
    const small = await take(provider);
    assert.ok((await provider.cost([big.ref])) > 50_000);
    assert.ok((await provider.cost([small.ref])) < 5_000);
    const before = sizeOf(storage);
    await provider.remove([big.ref, 'gone@0000000000000000000000000000000000000000']);
    assert.ok(sizeOf(storage) < before - 50_000, 'the disk is free again');
    assert.deepEqual(await provider.list(), [small.ref]);
    await provider.remove([big.ref]);
    await assert.rejects(provider.open(big.ref), { code: 'snapshot-missing' });
    assert.deepEqual([...(await filesInTree(await provider.open(small.ref))).keys()], ['a', 'big']);
    await provider.remove([small.ref]);
    assert.deepEqual(await provider.list(), []);
    for (const changed of [['a'], undefined]) {
      put('a', `again ${String(changed)}`);
      const next = await take(provider, changed);
      assert.deepEqual(
        [...(await filesInTree(await provider.open(next.ref))).keys()],
        ['a', 'big'],
      );
    }
    await userGit(path.join(storage, 'store.git'), 'fsck', '--full', '--no-dangling');
  });

  it('lets several processes take snapshots of one workspace and collect garbage at once', async () => {
    const providers = [await provide(), await provide(), await provide()];
    const refs = new Set<string>();
    await Promise.all(
      providers.map(async (provider, number) => {
        for (let round = 0; round < 6; round += 1) {
          put(`f${number}`, `${round}`);
          const { ref } = await take(provider, round % 2 === 0 ? [`f${number}`] : undefined);
          refs.add(ref);
          if (round === 3) {
            await provider.remove([ref]);
            refs.delete(ref);
          }
        }
      }),
    );
    const listed = await providers[0]!.list();
    for (const ref of listed) await filesInTree(await providers[1]!.open(ref));
    const last = await take(providers[2]!);
    assert.deepEqual(
      [...(await filesInTree(await providers[0]!.open(last.ref))).keys()],
      ['a', 'f0', 'f1', 'f2'],
    );
    await userGit(path.join(storage, 'store.git'), 'fsck', '--full', '--no-dangling');
  });

  it('never reuses the name of a snapshot, to which sessions may refer', async () => {
    const [first, second] = [await provide(), await provide()];
    const { signal } = new AbortController();
    const named = { name: 'named', label: '', signal };
    const kept = await first.take(named);
    assert.equal((await take(second)).ref, kept.ref, 'the same state is kept once');
    assert.equal((await first.take(named)).ref, kept.ref);
    put('a', 'another state');
    await assert.rejects(first.take(named), { code: 'snapshot-exists' });
    assert.deepEqual(await first.list(), [kept.ref]);
    const next = await take(first);
    put('a', 'to have something to remove');
    await first.remove([(await take(first)).ref]);
    assert.deepEqual([...(await second.list())].sort(), [kept.ref, next.ref].sort());
    const read = async (ref: string) =>
      Buffer.from(await (await second.open(ref)).read('a')).toString();
    assert.equal(await read(kept.ref), 'a');
    assert.equal(await read(next.ref), 'another state');
  });

  it('is intact after another process collected objects of a mere scan', async () => {
    await userGit(workspace, 'init', '-q');
    await userGit(workspace, 'add', '.');
    const [first, second] = [await provide(), await provide()];
    const { signal } = new AbortController();
    const before = await take(first);
    const gone = await take(first);
    put('b', 'staged, and seen by a comparison alone');
    await userGit(workspace, 'add', '.');
    await first.diff(before.ref, 'workspace', signal);
    put('c', 'to have something to remove');
    const other = await take(second);
    await userGit(workspace, 'rm', '-q', '--cached', 'b');
    await take(second);
    await second.remove([gone.ref, other.ref]);
    await userGit(workspace, 'add', 'b');
    const { ref } = await take(first);
    await userGit(path.join(storage, 'store.git'), 'fsck', '--full', '--no-dangling');
    const destination = path.join(folder.path, 'clone');
    const clone = await first.clone({ ref, destination, name: 'clone', signal });
    assert.equal(await userGit(clone.workspace, 'ls-files'), 'a\nb\n');
    assert.equal(readFileSync(path.join(clone.workspace, 'c'), 'utf8').slice(0, 2), 'to');
    await first.removeClone(destination);
  });

  it('gives the lock to one process at a time, and takes it over from dead ones', async () => {
    mkdirSync(storage);
    const ports = { ...realPorts(), scratch: storage };
    symlinkSync('99999999-0-0', path.join(storage, 'lock.7'));
    let inside = 0;
    let crashes = 0;
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const lock = await acquireLock(ports, storage);
        inside += 1;
        assert.equal(inside, 1);
        if (lock.isAfterCrash) crashes += 1;
        await new Promise((resolve) => setTimeout(resolve, 3));
        inside -= 1;
        await lock.release();
      }),
    );
    assert.equal(crashes, 1);
    assert.deepEqual(readdirSync(storage), ['lock.19']);
    const impatient = new AbortController();
    const held = await acquireLock(ports, storage);
    const waiting = acquireLock(ports, storage, impatient.signal);
    impatient.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await held.release();
  });

  it('recovers after a crash at any file that it writes, and leaves nothing behind', async () => {
    const provider = await provide();
    const first = await take(provider);
    const expected = await filesInTree(await provider.open(first.ref));
    put('b', 'b');
    let failAt = 1;
    for (; ; failAt += 1) {
      let writes = 0;
      const failing: Files = {
        ...nodeFiles,
        async write(name, bytes, mode, drafts) {
          writes += 1;
          if (writes >= failAt && name.startsWith(storage)) throw withCode('ENOSPC');
          return nodeFiles.write(name, bytes, mode, drafts);
        },
      };
      const unlucky = await provide({ files: failing });
      const result = await take(unlucky).catch((error: unknown) => error);
      if (!(result instanceof Error)) break;
      assert.equal((result as { code?: string }).code, 'disk-full');
      for (const ref of await provider.list()) await filesInTree(await provider.open(ref));
      assert.deepEqual(await filesInTree(await provider.open(first.ref)), expected);
    }
    assert.ok(failAt > 4, 'there were writes to fail at');
    const after = await take(provider);
    assert.deepEqual([...(await filesInTree(await provider.open(after.ref))).keys()], ['a', 'b']);
    assert.deepEqual(
      readdirSync(storage).filter((name) => name.endsWith('.tmp') || name.startsWith('free-')),
      [],
    );
  });

  it('starts over if its index or state is damaged', async () => {
    const provider = await provide();
    await take(provider);
    const [generation] = readdirSync(path.join(storage, 'indexes'));
    const indexes = path.join(storage, 'indexes', generation!);
    for (const name of readdirSync(indexes)) writeFileSync(path.join(indexes, name), 'nonsense');
    put('b', 'b');
    const { ref } = await take(provider);
    assert.deepEqual([...(await filesInTree(await provider.open(ref))).keys()], ['a', 'b']);
    writeFileSync(path.join(storage, 'state.json'), '{"generation":');
    put('c', 'c');
    const second = await take(provider, ['c']);
    assert.deepEqual(
      [...(await filesInTree(await provider.open(second.ref))).keys()],
      ['a', 'b', 'c'],
    );
  });

  it('reports a missing git, and stops when aborted', async () => {
    const noGit: typeof nodeExec = (program, args, options) =>
      nodeExec(program, args, { ...options, env: { ...options.env, PATH: '/nonexistent' } });
    await assert.rejects(provide({ exec: noGit }), { code: 'git-missing' });
    const provider = await provide();
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await assert.rejects(take(provider, undefined, stop.signal), /stopped/);
    assert.deepEqual(await provider.list(), []);
    const later = new AbortController();
    const taking = take(provider, undefined, later.signal);
    setTimeout(() => later.abort(new Error('stopped later')), 20);
    await assert.rejects(taking, /stopped later/);
    assert.deepEqual(await provider.list(), []);
    assert.equal((await take(provider)).isUnchanged, false);
  });

  it("finds its snapshots after the workspace moved, and without the user's repository", async () => {
    await userGit(workspace, 'init', '-q');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-q', '-m', 'a');
    const { ref } = await take(await provide());
    await rm(path.join(workspace, '.git'), { recursive: true });
    await rm(path.join(workspace, 'a'));
    const provider = await provide();
    assert.deepEqual([...(await filesInTree(await provider.open(ref))).keys()], ['a']);
    const destination = path.join(folder.path, 'clone');
    const signal = new AbortController().signal;
    await provider.clone({ ref, destination, name: 'c', signal });
    assert.deepEqual(readdirSync(destination), ['a']);
    await assert.rejects(provider.clone({ ref, destination, name: 'c', signal }), {
      code: 'destination-exists',
    });
    await provider.removeClone(destination);
    assert.ok(!existsSync(destination));
    await assert.rejects(provider.removeClone(workspace), { code: 'not-a-clone' });
  });
});

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function sizeOf(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) size += lstatSync(path.join(entry.parentPath, entry.name)).size;
  }
  return size;
}
