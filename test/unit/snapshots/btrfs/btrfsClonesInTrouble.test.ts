import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotProvider } from '../../../../src/snapshots/common/provider.ts';
import { BtrfsTool } from '../../../../src/snapshots/btrfs/btrfsTool.ts';
import { useFakeBtrfs } from '../../../support/volumes/useFakeBtrfs.ts';

const { signal } = new AbortController();
const BROKEN = { stderr: 'ERROR: Input/output error\n' };

describe('clones on Btrfs, when the command fails', () => {
  const fake = useFakeBtrfs();
  const { store, clone, open, take, answering } = fake;

  describe('cloning', () => {
    const make = (provider: SnapshotProvider, ref: string) =>
      provider.clone({ ref, destination: clone(), name: 'one', signal });

    it('leaves nothing behind and reports the error', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      fake.btrfs.intercept = answering('subvolume snapshot', BROKEN);
      await assert.rejects(make(provider, ref), { code: 'clone-failed' });
      assert.ok(!existsSync(clone()));
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
      fake.btrfs.intercept = () => Promise.reject(new Error('bug'));
      await assert.rejects(make(provider, ref), /^Error: bug$/);
    });

    it('keeps what another process created there meanwhile', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      fake.btrfs.intercept = (args) => {
        if (args[1] === 'snapshot') mkdirSync(clone());
        return undefined;
      };
      await assert.rejects(make(provider, ref), { code: 'destination-exists' });
      assert.ok(existsSync(clone()));
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
    });

    it('refuses an existing destination', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      mkdirSync(clone(), { recursive: true });
      fake.btrfs.calls.length = 0;
      await assert.rejects(make(provider, ref), { code: 'destination-exists' });
      assert.deepEqual(fake.btrfs.calls, []);
    });

    it('places the clone beside the snapshots, with a link, if the destination is on another disk', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      fake.btrfs.intercept = (args) =>
        args[1] === 'snapshot' && args[3] === clone()
          ? { stderr: 'ERROR: cannot snapshot: Invalid cross-device link\n' }
          : undefined;
      const { workspace: made } = await make(provider, ref);
      assert.equal(readFileSync(path.join(made, 'file'), 'utf8'), 'before');
      assert.equal(readFileSync(path.join(clone(), 'project/file'), 'utf8'), 'before');
      await provider.removeClone(clone());
      assert.ok(!existsSync(clone()) && !existsSync(made));
    });

    it('creates the parent folder again if it is deleted meanwhile, a few times', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      let tries = 0;
      const gone = { stderr: 'ERROR: cannot access clones: No such file or directory\n' };
      fake.btrfs.intercept = (args) => (args[1] === 'snapshot' && ++tries < 3 ? gone : undefined);
      await make(provider, ref);
      assert.equal(readFileSync(path.join(clone(), 'project/file'), 'utf8'), 'before');
      await provider.removeClone(clone());
      fake.btrfs.intercept = (args) => (args[1] === 'snapshot' ? gone : undefined);
      await assert.rejects(make(provider, ref), { code: 'clone-failed' });
      assert.ok(!existsSync(clone()));
    });

    it('reports a missing snapshot if it was removed after it was opened', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      await provider.open(ref);
      rmSync(path.join(store(), ref), { recursive: true });
      await assert.rejects(make(provider, ref), { code: 'snapshot-gone' });
      assert.ok(!existsSync(clone()));
    });

    it('does not remove a folder that replaced a clone', async () => {
      const provider = await open();
      await make(provider, await take(provider, 'one'));
      fake.btrfs.intercept = answering('subvolume delete', BROKEN);
      await assert.rejects(provider.removeClone(clone()), { code: 'remove-failed' });
      fake.btrfs.intercept = undefined;
      await (await BtrfsTool.find(fake.btrfs.exec))!.deleteSubvolume(clone());
      mkdirSync(clone());
      writeFileSync(path.join(clone(), 'file'), 'other');
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
      assert.ok(existsSync(path.join(clone(), 'file')));
    });
  });
});
