import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import type { Files } from '../../../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { nodeObjectCoding } from '../../../../../src/snapshots/node/open/objectCoding.ts';
import { useGitFaults } from '../../../../support/git/gitFaults.ts';
import { userGit } from '../../../../support/git/gitWorkspace.ts';

let count = 0;

function take(provider: SnapshotProvider, changedPaths?: string[]) {
  const request = { name: `s${(count += 1)}`, label: '', signal: new AbortController().signal };
  return provider.take(changedPaths ? { ...request, changedPaths } : request);
}

describe('git snapshots and power cuts', () => {
  const { at, put, open, namesIn } = useGitFaults();
  const store = (name: string) => at(`storage/store.git/${name}`);

  /** Logs writes, syncs and renames in order, with paths relative to the storage. */
  function recordingFiles(): { files: Files; log: string[] } {
    const log: string[] = [];
    const short = (file: string) =>
      path
        .relative(at('storage'), file)
        .replace(/pack-[0-9a-f]+/, 'PACK')
        .replace(/s\d+$/, 'NAME');
    const files: Files = {
      ...nodeFiles,
      async write(file, ...rest) {
        await nodeFiles.write(file, ...rest);
        log.push(`write ${short(file)}`);
      },
      async sync(file) {
        await nodeFiles.sync(file);
        log.push(`sync ${short(file)}`);
      },
      async rename(from, to) {
        await nodeFiles.rename(from, to);
        log.push(`rename ${short(to)}`);
      },
    };
    return { files, log };
  }

  it('have one pack each, which is on disk before the reference, which is on disk before the answer', async () => {
    const { files, log } = recordingFiles();
    const provider = await open({ files });
    await take(provider);
    put('a', 'changed');
    put('folder/b', 'b');
    const packs = () => readdirSync(store('objects/pack')).filter((name) => name.endsWith('.pack'));
    const before = packs().length;
    log.length = 0;
    await take(provider, ['a', 'folder/b']);
    assert.equal(packs().length, before + 1);
    const ofStore = log.filter((line) => !/lock\.|state\.json|cache/.test(line));
    const parallel = (lines: string[]) => lines.sort();
    assert.deepEqual(parallel(ofStore.splice(0, 2)), [
      'write tmp/staged/pack/PACK.idx',
      'write tmp/staged/pack/PACK.pack',
    ]);
    assert.equal(ofStore.filter((line) => line === 'write tmp/reference-0').length, 1);
    assert.deepEqual(parallel(ofStore.splice(0, 4)), [
      'sync tmp/reference-0',
      'sync tmp/staged/pack/PACK.idx',
      'sync tmp/staged/pack/PACK.pack',
      'write tmp/reference-0',
    ]);
    assert.deepEqual(ofStore, [
      'rename store.git/objects/pack/PACK.pack',
      'rename store.git/objects/pack/PACK.idx',
      'sync store.git/objects/pack',
      'rename store.git/refs/snapshots/NAME',
      'sync store.git/refs/snapshots',
    ]);
  });

  it('sync everything that becomes part of the store, also when git writes it', async () => {
    const { files, log } = recordingFiles();
    await userGit(at('w'), 'init', '-q');
    await userGit(at('w'), 'add', '.');
    await userGit(at('w'), 'commit', '-qm', 'first');
    // Enough for a new index, but too few for git to pack them.
    for (let number = 0; number < 300; number += 1) put(`f${number}/file`, `${number}`);
    await take(await open({ files }));
    const renamed = log.filter((line) => line.startsWith('rename store.git/objects'));
    assert.ok(renamed.length >= 6, log.join('\n'));
    for (const end of ['pack', 'idx']) {
      const count = (start: string) =>
        log.filter((line) => line.startsWith(start) && line.endsWith(end)).length;
      assert.equal(count('sync tmp/staged/pack/'), count('rename store.git/objects/pack/'));
    }
    const lastSync = log.lastIndexOf('sync store.git/objects/pack');
    assert.ok(lastSync > log.findLastIndex((line) => line.startsWith('rename store.git/objects')));
    assert.ok(lastSync < log.indexOf('rename store.git/refs/snapshots/NAME'));
    assert.deepEqual(readdirSync(store('objects')).sort(), ['info', 'pack']);
  });

  it('are not taken if a pack cannot be synced, and the next one has everything', async () => {
    let isBroken = true;
    const sync: Files['sync'] = (file) =>
      isBroken && file.includes('staged')
        ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
        : nodeFiles.sync(file);
    const provider = await open({ files: { ...nodeFiles, sync } });
    await assert.rejects(take(provider), { code: 'EIO' });
    assert.deepEqual(await provider.list(), []);
    isBroken = false;
    const { ref } = await take(provider);
    assert.deepEqual(await namesIn(provider, ref), ['a']);
    await provider.prove(ref);
  });

  it('write objects again that a power cut emptied, cut off or damaged, and name the lost snapshots', async () => {
    const provider = await open();
    put('b', 'b'.repeat(100_000));
    put('c', 'c');
    const before = await take(provider);
    provider.dispose();
    unpack();
    const objectOf = (content: string) => {
      const oid = nodeHash(content);
      return store(`objects/${oid.slice(0, 2)}/${oid.slice(2)}`);
    };
    writeFileSync(objectOf('a'), '');
    truncateSync(objectOf('b'.repeat(100_000)), 50);
    writeFileSync(objectOf('c'), 'nonsense');
    const fresh = await open();
    const { ref } = await take(fresh);
    assert.deepEqual(await namesIn(fresh, ref), ['a', 'b', 'c']);
    await fresh.prove(ref);
    assert.equal(Buffer.from(await (await fresh.open(ref)).read('c')).toString(), 'c');
    assert.deepEqual(await fresh.list(), [ref]);
    await assert.rejects(fresh.open(before.ref), { code: 'snapshot-lost' });
    await assert.rejects(fresh.prove(before.ref), { code: 'snapshot-lost' });
    // Removing snapshots collects garbage, which needs a sound store.
    await fresh.remove([ref]);
  });

  it('keep their indexes in a store that is sound', async () => {
    const generation = () =>
      (JSON.parse(readFileSync(at('storage/state.json'), 'utf8')) as { generation: number })
        .generation;
    const provider = await open();
    const { ref } = await take(provider);
    provider.dispose();
    unpack();
    const before = generation();
    const fresh = await open();
    await take(fresh);
    await fresh.prove(ref);
    assert.equal(generation(), before);
    assert.deepEqual(readdirSync(store('objects')).sort(), ['info', 'pack']);
  });

  it('report a damaged file as missing, and others of the snapshot can be read', async () => {
    const provider = await open();
    put('b', 'b'.repeat(100_000));
    const { ref } = await take(provider);
    provider.dispose();
    unpack();
    const oid = nodeHash('b'.repeat(100_000));
    truncateSync(store(`objects/${oid.slice(0, 2)}/${oid.slice(2)}`), 50);
    const tree = await (await open()).open(ref);
    await assert.rejects(tree.read('b'), { code: 'snapshot-missing' });
    assert.equal(Buffer.from(await tree.read('a')).toString(), 'a');
  });

  for (const damage of ['', '1'.repeat(40)])
    it(`go on if a reference ${damage ? 'names a missing object' : 'is empty'}`, async () => {
      const provider = await open();
      const first = await take(provider);
      put('a', 'changed');
      const second = await take(provider);
      provider.dispose();
      writeFileSync(store(`refs/snapshots/${first.ref.split('@')[0]}`), damage);
      const fresh = await open();
      assert.deepEqual(await fresh.list(), [second.ref]);
      await assert.rejects(fresh.prove(first.ref), { code: 'snapshot-lost' });
      await fresh.prove(second.ref);
      await fresh.remove([second.ref]);
      assert.deepEqual(await namesIn(fresh, (await take(fresh)).ref), ['a']);
    });

  it('mend a store of which a power cut left only empty files', async () => {
    const provider = await open();
    const before = await take(provider);
    provider.dispose();
    for (const name of ['HEAD', 'config', 'info/attributes']) writeFileSync(store(name), '');
    rmSync(at('storage/store.git/objects/info'), { recursive: true });
    const fresh = await open();
    assert.deepEqual(await namesIn(fresh, before.ref), ['a']);
    put('b', 'b');
    assert.deepEqual(await namesIn(fresh, (await take(fresh)).ref), ['a', 'b']);
    assert.match(readFileSync(store('HEAD'), 'utf8'), /^ref: /);
  });

  it('mend a store with SHA-256 objects', async () => {
    await userGit(at('w'), 'init', '-q', '--object-format=sha256');
    const provider = await open();
    const before = await take(provider);
    provider.dispose();
    writeFileSync(store('config'), '');
    rmSync(at('w/.git'), { recursive: true });
    assert.deepEqual(await namesIn(await open(), before.ref), ['a']);
  });

  it('merge their packs when there are many', async () => {
    const provider = await open();
    for (let number = 0; number < 60; number += 1) {
      put('a', `${number}`);
      await take(provider, ['a']);
    }
    const { ref } = await take(provider);
    await provider.prove(ref);
    await provider.remove([]);
    const packs = readdirSync(store('objects/pack')).filter((name) => name.endsWith('.pack'));
    assert.ok(packs.length < 55, `${packs.length} packs`);
  });

  /** Makes a store as older versions left it: with a file for each object. */
  function unpack(): void {
    const folder = store('objects/pack');
    const packs = readdirSync(folder).filter((name) => name.endsWith('.pack'));
    for (const name of packs) {
      const bytes = readFileSync(path.join(folder, name));
      rmSync(path.join(folder, name));
      rmSync(path.join(folder, name.replace('.pack', '.idx')), { force: true });
      rmSync(path.join(folder, name.replace('.pack', '.rev')), { force: true });
      gitUnpack(bytes);
    }
  }

  function gitUnpack(pack: Buffer): void {
    execFileSync('git', ['--git-dir', at('storage/store.git'), 'unpack-objects', '-q'], {
      input: pack,
    });
    for (const name of readdirSync(store('objects'), { recursive: true, encoding: 'utf8' }))
      if (/^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name)) chmodSync(store(`objects/${name}`), 0o600);
  }

  function nodeHash(content: string): string {
    return nodeObjectCoding.hash('sha1', [Buffer.from(`blob ${content.length}\0${content}`)]);
  }
});
