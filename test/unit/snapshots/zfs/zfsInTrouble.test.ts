import assert from 'node:assert/strict';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SystemClock } from '../../../../src/platform/node/systemClock.ts';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../../src/snapshots/common/provider.ts';
import { detectZfs } from '../../../../src/snapshots/zfs/detectZfs.ts';
import { ZfsTool } from '../../../../src/snapshots/zfs/zfsTool.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { FakeZfs, type Answer, type Interceptor } from '../../../support/volumes/fakeVolume.ts';

const { signal } = new AbortController();
const DENIED = { stderr: 'cannot do that: permission denied\n' };

describe('snapshots on ZFS, when the command fails', () => {
  const folder = useTemporaryFolder();
  let zfs: FakeZfs;
  const mountPoint = () => path.join(folder.path, 'tank');
  const workspace = () => path.join(mountPoint(), 'project');
  const clone = () => path.join(folder.path, 'clones/one');

  beforeEach(() => {
    mkdirSync(workspace(), { recursive: true });
    writeFileSync(path.join(workspace(), 'file'), 'before');
    zfs = new FakeZfs(mountPoint());
  });

  function detect(more: Partial<Parameters<typeof detectZfs>[0]> = {}) {
    const processes = { own: 'me', isAlive: () => Promise.resolve(true) };
    return detectZfs({
      workspace: workspace(),
      privateFolder: path.join(folder.path, 'private'),
      exec: zfs.exec,
      files: zfs.files,
      processes,
      clock: new SystemClock(),
      ...more,
    });
  }

  async function open(files: Partial<Files> = {}): Promise<SnapshotProvider> {
    const detection = await detect({ hasSnapshots: true, files: { ...zfs.files, ...files } });
    assert.ok('provider' in detection);
    return detection.provider;
  }

  const take = async (provider: SnapshotProvider, name: string) =>
    (await provider.take({ name, label: '', signal })).ref;

  /** Answers every command that starts with these arguments. */
  function answering(start: string, answer: Answer): Interceptor {
    return (args) => (args.join(' ').startsWith(start) ? answer : undefined);
  }

  const readAll = async (provider: SnapshotProvider, ref: string) =>
    Buffer.from(await (await provider.open(ref)).read('file')).toString();

  describe('detection', () => {
    async function refusal(more?: Parameters<typeof detect>[0]): Promise<string> {
      const detection = await detect(more);
      assert.ok('refusal' in detection);
      return detection.refusal;
    }

    it('takes a trial snapshot and leaves nothing', async () => {
      assert.ok('provider' in (await detect()));
      assert.ok(zfs.calls.some((call) => call.startsWith('snapshot ')));
      assert.deepEqual(zfs.snapshots, []);
    });

    it('gives the reason, and touches nothing', async () => {
      zfs.isInstalled = false;
      assert.match(await refusal(), /zfs is not installed/);
      zfs.isInstalled = true;
      zfs.mountInfo = `44 1 0:40 /part ${mountPoint()} rw - zfs tank rw\n`;
      assert.match(await refusal(), /can't be accessed through/);
      zfs.mountInfo = `44 1 0:40 / ${mountPoint()} rw - ext4 /dev/sda rw\n`;
      assert.match(await refusal(), /not on a ZFS file system/);
      const odd = `${mountPoint()}/\udcff`;
      const files = { ...zfs.files, realPath: () => Promise.resolve(odd) };
      assert.match(await refusal({ files }), /not UTF-8/);
      assert.deepEqual(zfs.calls, []);
    });

    it('reports which permission is missing, and what remains', async () => {
      zfs.intercept = answering('snapshot', DENIED);
      assert.match(await refusal(), /may not take ZFS snapshots .*zfs allow USER/);
      zfs.intercept = answering('destroy', DENIED);
      assert.match(await refusal(), /may not destroy ZFS .*probe remains\.$/);
      zfs.intercept = undefined;
      const files = { ...zfs.files, canRead: () => Promise.resolve(false) };
      assert.match(await refusal({ files }), /can't be read in/);
      assert.deepEqual(
        zfs.snapshots,
        [],
        'the one left behind is used and destroyed the next time',
      );
    });

    it("fails for errors that don't come from the command", async () => {
      zfs.intercept = (args) => (args[0] === 'list' ? Promise.reject(new Error('bug')) : undefined);
      await assert.rejects(detect(), /^Error: bug$/);
    });
  });

  describe('taking', () => {
    it('does not mistake a failed query for a missing snapshot', async () => {
      const provider = await open();
      zfs.intercept = answering('list', DENIED);
      await assert.rejects(take(provider, 'one'), { code: 'snapshot-failed' });
      assert.ok(!zfs.calls.some((call) => call.startsWith('snapshot ')));
    });

    it('keeps the existing snapshot with the same name', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after');
      await assert.rejects(take(provider, 'one'), { code: 'snapshot-exists' });
      assert.equal(await readAll(provider, ref), 'before');
    });

    it('leaves nothing if a step after the snapshot fails', async () => {
      const provider = await open();
      const stop = new AbortController();
      zfs.intercept = (args) => {
        if (args[0] === 'snapshot') stop.abort(new Error('stopped'));
        return undefined;
      };
      await take(provider, 'one').catch(assert.fail);
      const request = { name: 'two', label: '', signal: stop.signal };
      await assert.rejects(provider.take(request), /stopped/);
      assert.deepEqual(
        await provider.list(),
        zfs.snapshots.map((name) => `${name}:project`),
      );
      assert.equal(zfs.snapshots.length, 1);
    });

    it('reports a full disk', async () => {
      const provider = await open();
      zfs.intercept = answering('snapshot', { stderr: 'cannot create snapshot: out of space\n' });
      await assert.rejects(take(provider, 'one'), { code: 'disk-full' });
    });

    it('returns the previous snapshot if nothing was written, and takes a new one if that is unknown', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      zfs.intercept = answering('get -H -p', { stdout: '0\n' });
      assert.equal(await take(provider, 'two'), first);
      assert.equal(zfs.snapshots.length, 1);
      zfs.intercept = (args) => (args[0] === 'get' ? DENIED : undefined);
      assert.notEqual(await take(provider, 'three'), first);
      assert.equal(zfs.snapshots.length, 2);
    });

    it('does not return a snapshot of another folder', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      const mark = path.join(folder.path, 'private/zfs-newest');
      const [name] = readdirSync(mark);
      writeFileSync(path.join(mark, name!), first.replace(/:.*/, ':elsewhere'));
      zfs.intercept = answering('get -H -p', { stdout: '0\n' });
      assert.notEqual(await take(provider, 'two'), first);
    });
  });

  describe('comparing', () => {
    it("compares everything if the command can't tell what differs", async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      writeFileSync(path.join(workspace(), 'file'), 'after!!');
      writeFileSync(path.join(workspace(), 'new'), '');
      const second = await take(provider, 'two');
      const expected = [
        { path: 'file', kind: 'modified' },
        { path: 'new', kind: 'added' },
      ];
      const answers: (Answer | Error)[] = [
        DENIED,
        { stdout: 'not what a diff looks like\n' },
        { stdout: `M\tF\t/elsewhere/file\n` },
        { stdout: `M\tF\t${mountPoint()}/project/file\n`.repeat(3001) },
        new Error('zfs printed more than 4194304 bytes.'),
        { stdout: `R\t/\t${mountPoint()}/old\t${mountPoint()}/project\n` },
      ];
      for (const answer of answers) {
        zfs.intercept = (args) => {
          if (args[0] !== 'diff') return undefined;
          return answer instanceof Error ? Promise.reject(answer) : answer;
        };
        assert.deepEqual(await provider.diff(first, second, signal), expected);
      }
    });

    it('compares everything if a file has hard links, or the workspace was elsewhere', async () => {
      const provider = await open();
      const first = await take(provider, 'one');
      const second = await take(provider, 'two');
      const place = path.join(zfs.folderOf(second.split(':')[0]!), 'project');
      writeFileSync(path.join(place, 'file'), 'after!!');
      linkSync(path.join(place, 'file'), path.join(place, 'second name'));
      const stdout = `M\tF\t${mountPoint()}/project/file\n`;
      zfs.intercept = (args) => (args[0] === 'diff' ? { stdout } : undefined);
      const changed = async (from: string) =>
        (await provider.diff(from, second, signal)).map((change) => change.path);
      assert.deepEqual(await changed(first), ['file', 'second name']);
      const whole = first.replace(':project', ':');
      assert.deepEqual(await changed(whole), ['file', 'project/file', 'second name']);
    });

    it('ends when aborted', async () => {
      const provider = await open();
      const [first, second] = [await take(provider, 'one'), await take(provider, 'two')];
      const stop = new AbortController();
      zfs.intercept = (args) => {
        if (args[0] !== 'diff') return undefined;
        stop.abort(new Error('stopped'));
        return Promise.reject(new Error('killed'));
      };
      await assert.rejects(provider.diff(first, second, stop.signal), /stopped/);
    });

    it('reports a missing snapshot', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      await assert.rejects(provider.diff(ref, ref.replace('one', 'two'), signal), {
        code: 'snapshot-gone',
      });
      const unreadable = await open({ canRead: () => Promise.resolve(false) });
      await assert.rejects(unreadable.open(ref), { code: 'snapshot-gone' });
      zfs.mountInfo = `44 1 0:40 / ${mountPoint()} rw - zfs tank/other rw\n`;
      await assert.rejects(provider.open(ref), { code: 'snapshot-gone' });
      await assert.rejects(provider.open(ref.replace('project', '../../..')), { code: 'bad-ref' });
    });
  });

  describe('removing', () => {
    it('keeps a snapshot that a clone needs, and reports that', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      zfs.intercept = answering('destroy', { stderr: 'snapshot has dependent clones\n' });
      await assert.rejects(provider.remove([ref]), { code: 'snapshot-in-use' });
      zfs.intercept = answering('destroy', DENIED);
      await assert.rejects(provider.remove([ref]), { code: 'remove-failed' });
      zfs.intercept = undefined;
      assert.equal(await readAll(provider, ref), 'before');
      await provider.remove([ref]);
      assert.deepEqual(zfs.snapshots, []);
    });

    it('accepts a snapshot that another process removed first', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      await provider.remove([ref, ref]);
      const tool = (await ZfsTool.find(zfs.exec))!;
      await tool.destroySnapshot(`tank/home@${ref.split(':')[0]}`);
    });

    it('destroys only our snapshots and clones', async () => {
      const tool = (await ZfsTool.find(zfs.exec))!;
      zfs.calls.length = 0;
      await assert.rejects(
        tool.destroySnapshot('tank/home@mine'),
        /is not a snapshot that AH took/,
      );
      await assert.rejects(tool.destroyClone('tank/home'), /is not a clone that AH created/);
      assert.equal(zfs.calls.length, 0);
      zfs.intercept = answering('get', { stdout: 'tank/home@mine\n' });
      const name = 'tank/home/ah-clone-0123456789abcdef';
      await assert.rejects(tool.destroyClone(name), /is not a clone of a snapshot that AH took/);
      assert.ok(!zfs.calls.some((call) => call.startsWith('destroy')));
    });
  });

  describe('cloning', () => {
    const make = (provider: SnapshotProvider, ref: string) =>
      provider.clone({ ref, destination: clone(), name: 'one', signal });

    it('copies the files if this user may not mount, and removes the copy', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      zfs.intercept = answering('clone', DENIED);
      assert.deepEqual(await make(provider, ref), { workspace: clone() });
      assert.equal(readFileSync(path.join(clone(), 'file'), 'utf8'), 'before');
      await assert.rejects(make(provider, ref), { code: 'destination-exists' });
      await provider.removeClone(clone());
      assert.ok(!existsSync(clone()));
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
    });

    it('leaves nothing if it fails for another reason', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      zfs.intercept = answering('clone', { stderr: 'cannot create: pool is broken\n' });
      await assert.rejects(make(provider, ref), { code: 'clone-failed' });
      assert.ok(!existsSync(clone()));
      await assert.rejects(provider.removeClone(clone()), { code: 'not-a-clone' });
      zfs.intercept = (args) =>
        args[0] === 'clone' ? Promise.reject(new Error('bug')) : undefined;
      await assert.rejects(make(provider, ref), /^Error: bug$/);
      assert.ok(!existsSync(clone()));
    });

    it('leaves nothing of a failed copy', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      zfs.intercept = (args) => {
        if (args[0] !== 'clone') return undefined;
        // The snapshot is removed before its files are copied.
        void zfs.exec('zfs', ['destroy', args[3]!], { cwd: '/' });
        return DENIED;
      };
      await assert.rejects(make(provider, ref), { code: 'clone-failed' });
      assert.ok(!existsSync(clone()));
    });

    it('keeps a dataset that another process created', async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      zfs.intercept = answering('clone', { stderr: 'cannot create: dataset already exists\n' });
      await assert.rejects(make(provider, ref), { code: 'destination-exists' });
      assert.ok(!zfs.calls.some((call) => call.startsWith('destroy')));
    });

    it("keeps the record of a clone that can't be removed, or is not mounted", async () => {
      const provider = await open();
      const ref = await take(provider, 'one');
      assert.deepEqual(await make(provider, ref), { workspace: path.join(clone(), 'project') });
      zfs.intercept = answering('destroy', DENIED);
      await assert.rejects(provider.removeClone(clone()), { code: 'remove-failed' });
      assert.equal(zfs.clones.length, 1);
      zfs.intercept = undefined;
      await provider.removeClone(clone());
      assert.ok(!existsSync(clone()));
      assert.deepEqual(zfs.clones, []);
    });
  });
});
