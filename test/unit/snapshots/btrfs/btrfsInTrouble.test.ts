import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import { BtrfsTool } from '../../../../src/snapshots/btrfs/btrfsTool.ts';
import type { Interceptor } from '../../../support/volumes/fakeVolume.ts';
import { useFakeBtrfs } from '../../../support/volumes/useFakeBtrfs.ts';

const { signal } = new AbortController();
const BROKEN = { stderr: 'ERROR: Input/output error\n' };

describe('snapshots on Btrfs, when the command fails', () => {
  const fake = useFakeBtrfs();
  const { folder, top, workspace, privateFolder, store, detect, open, take, readAll, answering } =
    fake;

  describe('detection', () => {
    async function refusal(more?: Parameters<typeof detect>[0]): Promise<string> {
      const detection = await detect(more);
      assert.ok('refusal' in detection);
      return detection.refusal;
    }

    it('gives the reason, and creates nothing', async () => {
      const odd = { ...fake.btrfs.files, realPath: () => Promise.resolve(`${top()}/\udcff`) };
      assert.match(await refusal({ files: odd }), /not UTF-8/);
      fake.btrfs.isInstalled = false;
      assert.match(await refusal(), /btrfs is not installed/);
      fake.btrfs.isInstalled = true;
      assert.match(await refusal({ isExistingOnly: true }), /no Btrfs snapshots of/);
      const stat: Files['stat'] = async (file) => {
        const found = await fake.btrfs.files.stat(file);
        return file === top() ? { ...found, device: found.device + 1n } : found;
      };
      assert.match(await refusal({ files: { ...fake.btrfs.files, stat } }), /can't be accessed/);
      const none = { ...fake.btrfs.files, stat: plainStat };
      assert.match(await refusal({ files: none }), /can't be accessed/);
      fake.btrfs.mountInfo = '';
      assert.match(await refusal(), /not on a Btrfs file system/);
      assert.ok(!existsSync(privateFolder()));
    });

    /** The inode numbers of a file system without subvolumes. */
    const plainStat: Files['stat'] = async (file) => ({
      ...(await fake.btrfs.files.stat(file)),
      inode: 5n,
    });

    it('tries the next location if one does not work, and leaves nothing', async () => {
      fake.btrfs.intercept = (args) =>
        args[1] === 'create' && args[2]!.startsWith(privateFolder()) ? BROKEN : undefined;
      const detection = await detect();
      assert.ok('provider' in detection);
      const ref = await take(detection.provider, 'one');
      assert.ok(existsSync(path.join(folder.path, '.ah-snapshots', ref)));
      fake.btrfs.intercept = answering('subvolume create', BROKEN);
      rmSync(path.join(folder.path, '.ah-snapshots'), { recursive: true });
      assert.match(await refusal(), /can't be stored anywhere\. .*Input\/output error/);
      assert.ok(!existsSync(path.join(folder.path, '.ah-snapshots')));
    });

    it('gives the reason for each location if none works', async () => {
      fake.btrfs.intercept = answering('subvolume delete', {
        stderr: 'ERROR: Could not destroy: Operation not permitted\n',
      });
      assert.match(await refusal(), /without user_subvol_rm_allowed/);
      fake.btrfs.intercept = answering('subvolume snapshot', {
        stderr: 'ERROR: cannot snapshot: Operation not permitted\n',
      });
      assert.match(await refusal(), /Only the owner of the Btrfs subvolume/);
      fake.btrfs.intercept = answering('subvolume snapshot', BROKEN);
      assert.match(await refusal(), /can't be stored anywhere/);
    });

    it("fails for errors that don't come from the command or the disk", async () => {
      fake.btrfs.intercept = (args) =>
        args[1] === 'create' ? Promise.reject(new Error('bug')) : undefined;
      await assert.rejects(detect(), /^Error: bug$/);
    });

    it('uses a store that another process creates at the same moment', async () => {
      fake.btrfs.intercept = (args) => {
        if (args.join(' ') !== `subvolume create ${store()}`) return undefined;
        mkdirSync(store());
        return { stderr: `ERROR: target path already exists: ${store()}\n` };
      };
      const provider = await open();
      const ref = await take(provider, 'one');
      assert.equal(await readAll(provider, ref), 'before');
    });
  });

  describe('taking', () => {
    it('leaves nothing of a failed snapshot and reports the error', async () => {
      const provider = await open();
      fake.btrfs.intercept = answering('subvolume snapshot', BROKEN);
      await assert.rejects(take(provider, 'one'), { code: 'snapshot-failed' });
      fake.btrfs.intercept = answering('subvolume snapshot', {
        stderr: 'ERROR: No space left on device\n',
      });
      await assert.rejects(take(provider, 'one'), { code: 'disk-full' });
      assert.deepEqual(await provider.list(), []);
    });

    it("leaves nothing if the note can't be written", async () => {
      const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
      const provider = await open({ write: () => Promise.reject(full) });
      await assert.rejects(take(provider, 'one'), { code: 'disk-full' });
      assert.deepEqual(await provider.list(), []);
    });

    it('keeps the existing snapshot with the same name', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after');
      await assert.rejects(take(provider, 'one'), { code: 'snapshot-exists' });
      assert.equal(await readAll(provider, ref), 'before');
    });

    it('takes a new snapshot if the previous one was in another folder of the volume', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      const note = path.join(store(), first, 'snapshot.json');
      const text = readFileSync(note, 'utf8');
      writeFileSync(note, text.replace('"folder":"project"', '"folder":""'));
      const second = await take(provider, 'two');
      assert.notEqual(second, first);
      assert.deepEqual(await provider.list(), [first, second]);
      const paths = (await provider.diff(first, second, signal)).map((change) => change.path);
      assert.deepEqual(paths, ['file', 'project/file']);
    });

    it("finds nested subvolumes with root's list, or by search if a name breaks it", async () => {
      const provider = await open();
      const list = (stdout: string) => answering('subvolume list', { stdout });
      const line = 'ID 257 gen 9 top level 256 path volume/project/inner';
      fake.btrfs.intercept = list(`${line}\n`);
      const { omissions } = await provider.take({ name: 'one', label: '', signal });
      assert.deepEqual(
        omissions.map((omission) => omission.path),
        ['inner'],
      );
      fake.btrfs.intercept = list(`${line}\nwith a line break\n`);
      const taken = await provider.take({ name: 'two', label: '', signal });
      assert.deepEqual(taken.omissions, []);
    });
  });

  describe('reading', () => {
    it("ignores a damaged note, but fails if a note can't be read", async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      const note = path.join(store(), ref, 'snapshot.json');
      for (const text of ['{', '[]', '{"workspace":"w","folder":""}', '{"workspace":1}']) {
        writeFileSync(note, text);
        await assert.rejects(provider.open(ref), { code: 'snapshot-gone' }, text);
      }
      assert.deepEqual(await provider.list(), [ref], 'still listed, so that it can be removed');
      const denied = Object.assign(new Error('EACCES'), { code: 'EACCES' });
      const read: Files['read'] = (file) =>
        file === note ? Promise.reject(denied) : fake.btrfs.files.read(file);
      await assert.rejects((await open({ read })).open(ref), { code: 'EACCES' });
      await assert.rejects(provider.open('../../etc'), { code: 'bad-ref' });
    });

    it('leaves the snapshots of another volume in the same store to their owner', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      const other = path.join(store(), 'other-0123456789abcdef/one');
      mkdirSync(other, { recursive: true });
      const note = { workspace: '/elsewhere', folder: '', label: '', nested: [] };
      writeFileSync(path.join(other, 'snapshot.json'), JSON.stringify(note));
      const states = await provider.volumeSnapshots!();
      assert.deepEqual(
        states.map((state) => state.ref),
        [ref],
      );
    });

    it('compares with the current files', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      const changes = [{ path: 'file', kind: 'modified' }];
      assert.deepEqual(await provider.diff(first, 'workspace', signal), changes);
    });

    it('finds the snapshots of a deleted folder', async () => {
      const ref = await take(await open(), 'one');
      rmSync(workspace(), { recursive: true });
      const detection = await detect({ isExistingOnly: true });
      assert.ok('provider' in detection);
      assert.equal(await readAll(detection.provider, ref), 'before');
      const states = await detection.provider.volumeSnapshots!();
      assert.deepEqual(
        states.map((state) => state.ref),
        [ref],
      );
    });

    it("compares everything if the command can't tell what differs", async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      const second = await take(provider, 'two');
      const answers: Interceptor[] = [
        () => ({ stdout: 'not a stream' }),
        () => Promise.reject(new Error('too much')),
      ];
      for (const answer of answers) {
        fake.btrfs.intercept = (args) => (args[0] === 'send' ? answer(args) : undefined);
        assert.deepEqual(await provider.diff(first, second, signal), [
          { path: 'file', kind: 'modified' },
        ]);
      }
      const stop = new AbortController();
      fake.btrfs.intercept = (args) => {
        if (args[0] !== 'send') return undefined;
        stop.abort(new Error('stopped'));
        return Promise.reject(new Error('killed'));
      };
      await assert.rejects(provider.diff(first, second, stop.signal), /stopped/);
    });
  });

  describe('removing', () => {
    it("keeps the note of a snapshot that can't be deleted, so that it can be tried again", async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      fake.btrfs.intercept = answering('subvolume delete', BROKEN);
      await assert.rejects(provider.remove([ref]), { code: 'remove-failed' });
      assert.equal(await readAll(provider, ref), 'before');
      fake.btrfs.intercept = undefined;
      await provider.remove([ref, ref]);
      assert.deepEqual(await provider.list(), []);
    });

    it('accepts that another process deletes it at the same moment', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      fake.btrfs.intercept = (args) => {
        if (args[1] !== 'delete') return undefined;
        rmSync(args[2]!, { recursive: true });
        return BROKEN;
      };
      await provider.remove([ref]);
      assert.deepEqual(await provider.list(), []);
    });

    it('makes a read-only snapshot writable first, and deletes nested subvolumes first', async () => {
      const tool = (await BtrfsTool.find(fake.btrfs.exec))!;
      await tool.createSubvolume(path.join(folder.path, 'one'));
      let refusals = ['ERROR: Could not destroy: Read-only file system\n'];
      fake.btrfs.intercept = (args) => {
        if (args[0] === 'property') return { stdout: '' };
        const stderr = args[1] === 'delete' ? refusals.pop() : undefined;
        return stderr === undefined ? undefined : { stderr };
      };
      await tool.deleteSubvolume(path.join(folder.path, 'one'));
      assert.ok(fake.btrfs.calls.some((call) => call.startsWith('property set')));
      await tool.createSubvolume(path.join(folder.path, 'two'));
      refusals = ['ERROR: Could not destroy: Directory not empty\n'];
      await tool.deleteSubvolume(path.join(folder.path, 'two'));
      assert.ok(!existsSync(path.join(folder.path, 'two')));
      fake.btrfs.intercept = () => Promise.reject(new Error('bug'));
      await assert.rejects(tool.deleteSubvolume('/x'), /^Error: bug$/);
    });
  });

  describe('costs', () => {
    it('are 0 for missing or incomparable snapshots, and are noted if possible', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      const second = await take(provider, 'two');
      assert.equal(await provider.cost([first]), 'before'.length);
      const noted = readdirSync(path.join(store(), first)).find((name) => /released/.test(name));
      assert.ok(noted);
      writeFileSync(path.join(store(), first, noted), 'damaged');
      assert.equal(await provider.cost([first]), 'before'.length, 'compared again');
      for (const text of ['{"next":1}', `{"next":${JSON.stringify(second)},"versions":[[1,1]]}`]) {
        writeFileSync(path.join(store(), first, noted), text);
        assert.equal(await provider.cost([first]), 'before'.length, text);
      }
      rmSync(path.join(store(), first, noted));
      rmSync(path.join(store(), first, 'files'), { recursive: true });
      assert.equal(await provider.cost([first]), 0);
      rmSync(workspace(), { recursive: true });
      assert.equal(await provider.cost([second]), 'after!!'.length, 'all is in it alone');
      rmSync(path.join(store(), second, 'snapshot.json'));
      assert.equal(await provider.cost([second]), 0);
      await assert.rejects(provider.cost([first], AbortSignal.abort(new Error('stopped'))), /stop/);
    });

    it('are computed again if they could not be noted', async () => {
      const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      const write: Files['write'] = (file, ...more) =>
        /released/.test(file) ? Promise.reject(full) : fake.btrfs.files.write(file, ...more);
      const provider = await open({ write });
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      await take(provider, 'two');
      assert.equal(await provider.cost([first]), 'before'.length);
    });
  });
});
