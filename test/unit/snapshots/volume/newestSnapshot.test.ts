import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import {
  NewestSnapshot,
  type SettledSnapshot,
} from '../../../../src/snapshots/volume/newestSnapshot.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const { signal } = new AbortController();

describe('the newest snapshot, shared by several processes', () => {
  const folder = useTemporaryFolder();
  const place = (): string => path.join(folder.path, 'new', 'newest');
  const open = (files: Files = nodeFiles): NewestSnapshot => new NewestSnapshot(files, place());
  const isThere = () => Promise.resolve(true);
  const keep = (ref: string) => answer({ ref, same: undefined, isThere });

  /** What a process gets that has not taken a snapshot before. */
  async function answer(snapshot: SettledSnapshot): Promise<string> {
    const { ref, isUnchanged } = await open().settle(snapshot);
    assert.equal(isUnchanged, ref !== snapshot.ref);
    return ref;
  }

  it('is the last one taken by any process', async () => {
    assert.equal(await open().read(), undefined);
    assert.equal(await open().findSame(assert.fail, signal), undefined);
    assert.equal(await keep('one'), 'one');
    assert.equal(await keep('two'), 'two');
    assert.equal(await open().read(), 'two');
    assert.deepEqual(readdirSync(path.dirname(place())), ['newest']);
  });

  it('is returned if nothing changed, and stays the newest', async () => {
    await keep('one');
    const same = await open().findSame((ref) => Promise.resolve(ref === 'one'), signal);
    assert.equal(await answer({ ref: 'two', same, isThere }), 'one');
    assert.equal(await open().read(), 'one');
  });

  it('counts as a change once, for a process that returned another snapshot before', async () => {
    const mine = open();
    await mine.settle({ ref: 'one', same: undefined, isThere });
    await keep('two');
    const shared = { ref: 'mine', same: 'two', isThere };
    assert.deepEqual(await mine.settle(shared), { ref: 'two', isUnchanged: false });
    assert.deepEqual(await mine.settle(shared), { ref: 'two', isUnchanged: true });
  });

  it('is not returned after its removal began, whether it still exists or not', async () => {
    await keep('one');
    await open().forget('another');
    assert.equal(await open().read(), 'one');
    await open().forget('one');
    assert.equal(await answer({ ref: 'two', same: 'one', isThere }), 'two');
    const isGone = (ref: string) => Promise.resolve(ref !== 'two');
    assert.equal(await answer({ ref: 'three', same: 'two', isThere: isGone }), 'three');
  });

  it('is looked up again if another snapshot was taken during the comparison', async () => {
    await keep('one');
    const compared: string[] = [];
    const isSame = async (ref: string): Promise<boolean> => {
      compared.push(ref);
      if (ref === 'one') await keep('two');
      return ref === 'two';
    };
    assert.equal(await open().findSame(isSame, signal), 'two');
    assert.deepEqual(compared, ['one', 'two']);
  });

  it('does not make a process wait while others take one snapshot after another', async () => {
    await keep('0');
    const isSame = async (ref: string): Promise<boolean> => {
      await keep(String(Number(ref) + 1));
      return true;
    };
    const same = await open().findSame(isSame, signal);
    assert.equal(await answer({ ref: 'own', same, isThere }), 'own');
  });

  it('becomes the new one if the comparison fails; an abort is reported', async () => {
    await keep('one');
    const stop = new AbortController();
    const fail = () => Promise.reject(new Error('find: No such file'));
    assert.equal(await open().findSame(fail, stop.signal), undefined);
    stop.abort(new Error('stopped'));
    await assert.rejects(open().findSame(fail, stop.signal), /stopped/);
  });

  it("is kept if it can't be named, and the previous one is compared with again", async () => {
    await keep('one');
    const write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const full = open({ ...nodeFiles, write });
    const { ref } = await full.settle({ ref: 'two', same: undefined, isThere });
    assert.equal(ref, 'two');
    assert.equal(await open().read(), 'one');
  });

  it("is unknown if its file can't be read", async () => {
    mkdirSync(place(), { recursive: true });
    assert.equal(await open().read(), undefined);
  });

  it('is not returned if another process removed it before it was complete', async () => {
    const isGone = () => Promise.resolve(false);
    const settling = open().settle({ ref: 'one', same: undefined, isThere: isGone });
    await assert.rejects(settling, { code: 'snapshot-gone' });
  });
});
