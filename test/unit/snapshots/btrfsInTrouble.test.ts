import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SystemClock } from '../../../src/node/systemClock.ts';
import type { Files } from '../../../src/snapshots/ports.ts';
import type { SnapshotProvider } from '../../../src/snapshots/provider.ts';
import { detectBtrfs } from '../../../src/snapshots/providers/btrfs/detectBtrfs.ts';
import { BtrfsTool } from '../../../src/snapshots/providers/btrfs/btrfsTool.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { FakeBtrfs, type Answer, type Interceptor } from '../../support/volumes/fakeVolume.ts';

const { signal } = new AbortController();
const BROKEN = { stderr: 'ERROR: Input/output error\n' };

describe('snapshots on Btrfs, when the command fails', () => {
  const folder = useTemporaryFolder();
  let btrfs: FakeBtrfs;
  const top = () => path.join(folder.path, 'volume');
  const workspace = () => path.join(top(), 'project');
  const privateFolder = () => path.join(folder.path, 'private');
  const store = () => path.join(privateFolder(), '.ah-snapshots');
  const clone = () => path.join(folder.path, 'clones/one');

  beforeEach(() => {
    mkdirSync(workspace(), { recursive: true });
    writeFileSync(path.join(workspace(), 'file'), 'before');
    btrfs = new FakeBtrfs(top());
  });

  function detect(more: Partial<Parameters<typeof detectBtrfs>[0]> = {}) {
    const processes = { own: 'me', isAlive: () => Promise.resolve(true) };
    return detectBtrfs({
      ...{ workspace: workspace(), privateFolder: privateFolder(), exec: btrfs.exec },
      ...{ files: btrfs.files, processes, clock: new SystemClock(), ...more },
    });
  }

  async function open(files: Partial<Files> = {}): Promise<SnapshotProvider> {
    const detection = await detect({ files: { ...btrfs.files, ...files } });
    assert.ok('provider' in detection, 'refusal' in detection ? detection.refusal : '');
    return detection.provider;
  }

  const take = async (provider: SnapshotProvider, name: string) =>
    (await provider.take({ name, label: '', signal })).ref;

  const readAll = async (provider: SnapshotProvider, ref: string) =>
    Buffer.from(await (await provider.open(ref)).read('file')).toString();

  function answering(start: string, answer: Answer): Interceptor {
    return (args) => (args.join(' ').startsWith(start) ? answer : undefined);
  }

  describe('detection', () => {
    async function refusal(more?: Parameters<typeof detect>[0]): Promise<string> {
      const detection = await detect(more);
      assert.ok('refusal' in detection);
      return detection.refusal;
    }

    it('says why not, and makes nothing', async () => {
      const odd = { ...btrfs.files, realPath: () => Promise.resolve(`${top()}/\udcff`) };
      assert.match(await refusal({ files: odd }), /not UTF-8/);
      btrfs.isInstalled = false;
      assert.match(await refusal(), /btrfs is not installed/);
      btrfs.isInstalled = true;
      assert.match(await refusal({ isOnlyKept: true }), /no Btrfs snapshots of/);
      const stat: Files['stat'] = async (file) => {
        const found = await btrfs.files.stat(file);
        return file === top() ? { ...found, device: found.device + 1n } : found;
      };
      assert.match(await refusal({ files: { ...btrfs.files, stat } }), /not within reach/);
      const none = { ...btrfs.files, stat: plainStat };
      assert.match(await refusal({ files: none }), /not within reach/);
      btrfs.mountInfo = '';
      assert.match(await refusal(), /not on a Btrfs file system/);
      assert.ok(!existsSync(privateFolder()));
    });

    /** Of a file system without subvolumes. */
    const plainStat: Files['stat'] = async (file) => ({
      ...(await btrfs.files.stat(file)),
      inode: 5n,
    });

    it('tries the next place where one does not work, and leaves nothing', async () => {
      btrfs.intercept = (args) =>
        args[1] === 'create' && args[2]!.startsWith(privateFolder()) ? BROKEN : undefined;
      const detection = await detect();
      assert.ok('provider' in detection);
      const ref = await take(detection.provider, 'one');
      assert.ok(existsSync(path.join(folder.path, '.ah-snapshots', ref)));
      btrfs.intercept = answering('subvolume create', BROKEN);
      rmSync(path.join(folder.path, '.ah-snapshots'), { recursive: true });
      assert.match(await refusal(), /no place for snapshots .*Input\/output error/);
      assert.ok(!existsSync(path.join(folder.path, '.ah-snapshots')));
    });

    it('says what this user may not do in any place', async () => {
      btrfs.intercept = answering('subvolume delete', {
        stderr: 'ERROR: Could not destroy: Operation not permitted\n',
      });
      assert.match(await refusal(), /without user_subvol_rm_allowed/);
      btrfs.intercept = answering('subvolume snapshot', {
        stderr: 'ERROR: cannot snapshot: Operation not permitted\n',
      });
      assert.match(await refusal(), /Only the owner of the Btrfs subvolume/);
      btrfs.intercept = answering('subvolume snapshot', BROKEN);
      assert.match(await refusal(), /no place for snapshots/);
    });

    it('fails for anything but what the command and the disk say', async () => {
      btrfs.intercept = (args) =>
        args[1] === 'create' ? Promise.reject(new Error('bug')) : undefined;
      await assert.rejects(detect(), /^Error: bug$/);
    });

    it('uses a store that somebody else makes at the same moment', async () => {
      btrfs.intercept = (args) => {
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
    it('leaves nothing of a snapshot that fails, and says so', async () => {
      const provider = await open();
      btrfs.intercept = answering('subvolume snapshot', BROKEN);
      await assert.rejects(take(provider, 'one'), { code: 'snapshot-failed' });
      btrfs.intercept = answering('subvolume snapshot', {
        stderr: 'ERROR: No space left on device\n',
      });
      await assert.rejects(take(provider, 'one'), { code: 'disk-full' });
      assert.deepEqual(await provider.list(), []);
    });

    it('leaves nothing where the note cannot be written', async () => {
      const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
      const provider = await open({ write: () => Promise.reject(full) });
      await assert.rejects(take(provider, 'one'), { code: 'disk-full' });
      assert.deepEqual(await provider.list(), []);
    });

    it('keeps the snapshot that has the name already', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after');
      await assert.rejects(take(provider, 'one'), { code: 'snapshot-exists' });
      assert.equal(await readAll(provider, ref), 'before');
    });

    it('keeps a snapshot more where the one before was in another folder of the volume', async () => {
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

    it('finds subvolumes inside by root’s list, or by looking when a name breaks it', async () => {
      const provider = await open();
      const list = (stdout: string) => answering('subvolume list', { stdout });
      const line = 'ID 257 gen 9 top level 256 path volume/project/inner';
      btrfs.intercept = list(`${line}\n`);
      const { omissions } = await provider.take({ name: 'one', label: '', signal });
      assert.deepEqual(
        omissions.map((omission) => omission.path),
        ['inner'],
      );
      btrfs.intercept = list(`${line}\nwith a line break\n`);
      const taken = await provider.take({ name: 'two', label: '', signal });
      assert.deepEqual(taken.omissions, []);
    });
  });

  describe('reading', () => {
    it('does not take a damaged note for a snapshot, nor a note that cannot be read for a missing one', async () => {
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
        file === note ? Promise.reject(denied) : btrfs.files.read(file);
      await assert.rejects((await open({ read })).open(ref), { code: 'EACCES' });
      await assert.rejects(provider.open('../../etc'), { code: 'bad-ref' });
    });

    it('looks at everything where the command does not say what differs', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      const second = await take(provider, 'two');
      const answers: Interceptor[] = [
        () => ({ stdout: 'not a stream' }),
        () => Promise.reject(new Error('too much')),
      ];
      for (const answer of answers) {
        btrfs.intercept = (args) => (args[0] === 'send' ? answer(args) : undefined);
        assert.deepEqual(await provider.diff(first, second, signal), [
          { path: 'file', kind: 'modified' },
        ]);
      }
      const stop = new AbortController();
      btrfs.intercept = (args) => {
        if (args[0] !== 'send') return undefined;
        stop.abort(new Error('stopped'));
        return Promise.reject(new Error('killed'));
      };
      await assert.rejects(provider.diff(first, second, stop.signal), /stopped/);
    });
  });

  describe('removing', () => {
    it('keeps the note of a snapshot that cannot be deleted, so that it can be tried again', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      btrfs.intercept = answering('subvolume delete', BROKEN);
      await assert.rejects(provider.remove([ref]), { code: 'remove-failed' });
      assert.equal(await readAll(provider, ref), 'before');
      btrfs.intercept = undefined;
      await provider.remove([ref, ref]);
      assert.deepEqual(await provider.list(), []);
    });

    it('is fine when somebody else deletes it at the same moment', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      btrfs.intercept = (args) => {
        if (args[1] !== 'delete') return undefined;
        rmSync(args[2]!, { recursive: true });
        return BROKEN;
      };
      await provider.remove([ref]);
      assert.deepEqual(await provider.list(), []);
    });

    it('makes a read-only one writable first, and deletes what is inside first', async () => {
      const tool = (await BtrfsTool.find(btrfs.exec))!;
      await tool.createSubvolume(path.join(folder.path, 'one'));
      let refusals = ['ERROR: Could not destroy: Read-only file system\n'];
      btrfs.intercept = (args) => {
        if (args[0] === 'property') return { stdout: '' };
        const stderr = args[1] === 'delete' ? refusals.pop() : undefined;
        return stderr === undefined ? undefined : { stderr };
      };
      await tool.deleteSubvolume(path.join(folder.path, 'one'));
      assert.ok(btrfs.calls.some((call) => call.startsWith('property set')));
      await tool.createSubvolume(path.join(folder.path, 'two'));
      refusals = ['ERROR: Could not destroy: Directory not empty\n'];
      await tool.deleteSubvolume(path.join(folder.path, 'two'));
      assert.ok(!existsSync(path.join(folder.path, 'two')));
      btrfs.intercept = () => Promise.reject(new Error('bug'));
      await assert.rejects(tool.deleteSubvolume('/x'), /^Error: bug$/);
    });
  });

  describe('costs', () => {
    it('are nothing of what is gone or cannot be compared, and are noted where that works', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      const second = await take(provider, 'two');
      assert.equal(await provider.cost([first]), 'before'.length);
      const noted = readdirSync(path.join(store(), first)).find((name) => /released/.test(name));
      assert.ok(noted);
      writeFileSync(path.join(store(), first, noted), 'damaged');
      assert.equal(await provider.cost([first]), 'before'.length, 'compared again');
      rmSync(path.join(store(), first, noted));
      rmSync(path.join(store(), first, 'files'), { recursive: true });
      assert.equal(await provider.cost([first]), 0);
      rmSync(workspace(), { recursive: true });
      assert.equal(await provider.cost([second]), 'after!!'.length, 'all is in it alone');
      rmSync(path.join(store(), second, 'snapshot.json'));
      assert.equal(await provider.cost([second]), 0);
      await assert.rejects(provider.cost([first], AbortSignal.abort(new Error('stopped'))), /stop/);
    });

    it('are compared again where they could not be noted', async () => {
      const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      const write: Files['write'] = (file, ...more) =>
        /released/.test(file) ? Promise.reject(full) : btrfs.files.write(file, ...more);
      const provider = await open({ write });
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      await take(provider, 'two');
      assert.equal(await provider.cost([first]), 'before'.length);
    });
  });

  describe('cloning', () => {
    const make = (provider: SnapshotProvider, ref: string) =>
      provider.clone({ ref, destination: clone(), name: 'one', signal });

    it('leaves nothing where it fails, and says so', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      btrfs.intercept = answering('subvolume snapshot', BROKEN);
      await assert.rejects(make(provider, ref), { code: 'clone-failed' });
      assert.ok(!existsSync(clone()));
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
      btrfs.intercept = () => Promise.reject(new Error('bug'));
      await assert.rejects(make(provider, ref), /^Error: bug$/);
    });

    it('keeps what somebody else made there meanwhile', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      btrfs.intercept = (args) => {
        if (args[1] === 'snapshot') mkdirSync(clone());
        return undefined;
      };
      await assert.rejects(make(provider, ref), { code: 'destination-exists' });
      assert.ok(existsSync(clone()));
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
    });

    it('is beside the snapshots, with a link, where the destination is on another disk', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      btrfs.intercept = (args) =>
        args[1] === 'snapshot' && args[3] === clone()
          ? { stderr: 'ERROR: cannot snapshot: Invalid cross-device link\n' }
          : undefined;
      const { workspace: made } = await make(provider, ref);
      assert.equal(readFileSync(path.join(made, 'file'), 'utf8'), 'before');
      assert.equal(readFileSync(path.join(clone(), 'project/file'), 'utf8'), 'before');
      await provider.removeClone(clone());
      assert.ok(!existsSync(clone()) && !existsSync(made));
    });

    it('makes the folder around it again when that goes meanwhile, a few times', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      let tries = 0;
      const gone = { stderr: 'ERROR: cannot access clones: No such file or directory\n' };
      btrfs.intercept = (args) => (args[1] === 'snapshot' && ++tries < 3 ? gone : undefined);
      await make(provider, ref);
      assert.equal(readFileSync(path.join(clone(), 'project/file'), 'utf8'), 'before');
      await provider.removeClone(clone());
      btrfs.intercept = (args) => (args[1] === 'snapshot' ? gone : undefined);
      await assert.rejects(make(provider, ref), { code: 'clone-failed' });
      assert.ok(!existsSync(clone()));
    });

    it('says that the snapshot is gone, where it went after it was opened', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      await provider.open(ref);
      rmSync(path.join(store(), ref), { recursive: true });
      await assert.rejects(make(provider, ref), { code: 'snapshot-gone' });
      assert.ok(!existsSync(clone()));
    });

    it('does not remove what somebody put in the place of a clone', async () => {
      const provider = await open();
      await make(provider, await take(provider, 'one'));
      btrfs.intercept = answering('subvolume delete', BROKEN);
      await assert.rejects(provider.removeClone(clone()), { code: 'remove-failed' });
      btrfs.intercept = undefined;
      await (await BtrfsTool.find(btrfs.exec))!.deleteSubvolume(clone());
      mkdirSync(clone());
      writeFileSync(path.join(clone(), 'file'), 'somebody’s');
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
      assert.ok(existsSync(path.join(clone(), 'file')));
    });
  });
});
