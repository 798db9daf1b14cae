import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { nodeExec } from '../../../src/platform/node/processes/exec.ts';
import { nodeProcesses } from '../../../src/platform/node/processes/processes.ts';
import { nodeFiles } from '../../../src/platform/node/files/files.ts';
import { SystemClock } from '../../../src/platform/node/systemClock.ts';
import type { Exec } from '../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import { detectBtrfs } from '../../../src/snapshots/btrfs/detectBtrfs.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import {
  checkContract,
  checkHardLinks,
  checkOwners,
  checkRandomWork,
  checkRestore,
  stateOf,
  take,
} from '../../support/volumes/providerContract.ts';
import { checkSharing } from '../../support/volumes/sharingContract.ts';
import { treeState } from '../../support/volumes/treeState.ts';
import { isSoak } from '../../support/soak.ts';

const { signal } = new AbortController();
const RUNS = isSoak ? 40 : 2;
const SNAPSHOTS = isSoak ? 60 : 15;

describe('snapshots on Btrfs', function () {
  this.timeout(60_000);
  const disk = useBtrfsDisk({ sizeMib: 512 });
  const elsewhere = useTemporaryFolder();

  const detect = (workspace: string, privateFolder: string, exec: Exec = nodeExec) =>
    detectBtrfs({
      workspace,
      privateFolder,
      exec,
      files: nodeFiles,
      processes: nodeProcesses,
      clock: new SystemClock(),
    });

  async function open(
    workspace: string,
    privateFolder = elsewhere.path,
    exec = nodeExec,
  ): Promise<SnapshotProvider> {
    const detection = await detect(workspace, privateFolder, exec);
    if ('refusal' in detection) throw new Error(detection.refusal);
    return detection.provider;
  }

  it('fulfil the contract for a subvolume, with the snapshots beside it', async () => {
    const workspace = disk.current.subvolume('project');
    await checkContract(await open(workspace), disk.current.folder);
    assert.deepEqual(disk.current.subvolumes(), ['.ah-snapshots', 'project']);
    assert.equal(fs.statSync(`${disk.current.folder}/.ah-snapshots`).mode & 0o777, 0o700);
  });

  it('fulfil the contract for a folder in a subvolume, with the snapshots in the data folder', async () => {
    const home = disk.current.subvolume('home');
    const workspace = disk.current.folderOf('home/me/project');
    fs.writeFileSync(`${home}/outside`, 'not of the workspace');
    await checkContract(await open(workspace, `${home}/me/data`), disk.current.folder);
    assert.deepEqual(disk.current.subvolumes(), ['home', 'home/me/data/.ah-snapshots']);
  });

  it('fulfil the contract for clones on another file system', async () => {
    const workspace = disk.current.folderOf('project');
    await checkContract(await open(workspace), elsewhere.path);
    assert.deepEqual(disk.current.subvolumes(), ['.ah-snapshots']);
  });

  it('survive random work', async function () {
    this.timeout(RUNS * SNAPSHOTS * 2_000);
    for (let run = 0; run < RUNS; run++) {
      const workspace = disk.current.folderOf(`work${run}/project`);
      await checkRandomWork(await open(workspace), run, SNAPSHOTS);
    }
  });

  it('ignore changes elsewhere in the subvolume, reads and folder times', async () => {
    const workspace = disk.current.folderOf('home/project');
    fs.writeFileSync(`${workspace}/file`, 'content');
    const provider = await open(workspace);
    const ref = await take(provider, 'one');
    fs.writeFileSync(`${disk.current.folder}/home/other`, 'other');
    fs.readFileSync(`${workspace}/file`);
    fs.writeFileSync(`${workspace}/passing`, '');
    fs.rmSync(`${workspace}/passing`);
    const next = await provider.take({ name: 'two', label: '', signal });
    assert.deepEqual([next.ref, next.isUnchanged], [ref, true]);
    fs.chmodSync(workspace, 0o700);
    fs.chmodSync(`${workspace}/file`, 0o600);
    assert.equal((await provider.take({ name: 'three', label: '', signal })).isUnchanged, false);
  });

  it('detect a change of a file under all of its hard links', async () => {
    const workspace = disk.current.folderOf('home/project');
    await checkHardLinks(await open(workspace), `${disk.current.folder}/home`);
  });

  it('restore empty folders and modes, and leave repositories alone', async () => {
    await checkRestore(await open(disk.current.folderOf('home/project')));
  });

  it('compare with the snapshot of another process', async () => {
    const workspace = disk.current.subvolume('project');
    const ref = await take(await open(workspace), 'one');
    const next = await (await open(workspace)).take({ name: 'two', label: '', signal });
    assert.deepEqual([next.ref, next.isUnchanged], [ref, true]);
  });

  it('list nested subvolumes and mounts, and give clones plain folders there', async () => {
    const workspace = disk.current.subvolume('project');
    fs.mkdirSync(`${workspace}/a`);
    disk.current.subvolume('project/a/nested');
    fs.writeFileSync(`${workspace}/a/nested/lost`, 'x');
    fs.mkdirSync(`${workspace}/mounted here`);
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', `${workspace}/mounted here`]);
    const provider = await open(workspace);
    const taken = await provider.take({ name: 'one', label: '', signal });
    assert.deepEqual(taken.omissions, [
      { path: 'a/nested', reason: 'special', detail: 'a separate Btrfs subvolume' },
      { path: 'mounted here', reason: 'special', detail: 'a mounted tmpfs file system' },
    ]);
    // A file in the placeholder may have existed, so a restore must not empty a plain folder in its
    // place.
    const tree = await provider.open(taken.ref);
    assert.deepEqual([await tree.mayLack('a/nested/lost'), await tree.mayLack('a')], [true, false]);
    const destination = `${disk.current.folder}/clone`;
    const clone = await provider.clone({ ref: taken.ref, destination, name: 'one', signal });
    fs.writeFileSync(`${clone.workspace}/a/nested/new`, 'can be written');
    disk.current.subvolume('clone/made by the agent');
    await provider.removeClone(destination);
    assert.ok(!fs.existsSync(destination));
  });

  it('list nested subvolumes with any name, wherever the subvolume is mounted', async () => {
    const project = disk.current.subvolume('project');
    disk.current.subvolume('beside');
    const mounted = `${elsewhere.path}/mounted`;
    fs.mkdirSync(mounted);
    execFileSync('mount', ['--bind', project, mounted]);
    try {
      const provider = await open(mounted, disk.current.folderOf('data'));
      const paths = async (name: string): Promise<string[]> => {
        fs.writeFileSync(`${project}/${name}.txt`, name);
        const { omissions } = await provider.take({ name, label: '', signal });
        return omissions.map(({ path: place }) => place).sort();
      };
      disk.current.subvolume('project/nested');
      assert.deepEqual(await paths('one'), ['nested']);
      disk.current.subvolume('project/with a\nline break');
      assert.deepEqual(await paths('two'), ['nested', 'with a\nline break']);
    } finally {
      execFileSync('umount', [mounted]);
    }
  });

  it('are found after the workspace moved', async () => {
    const home = disk.current.subvolume('home');
    const workspace = disk.current.folderOf('home/project');
    fs.writeFileSync(`${workspace}/file`, 'content');
    const before = treeState(workspace);
    const ref = await take(await open(workspace), 'one');
    fs.renameSync(workspace, `${home}/renamed`);
    const moved = await open(`${home}/renamed`);
    assert.deepEqual(await stateOf(moved, ref), before);
    assert.deepEqual(await moved.diff(ref, 'workspace', signal), []);
    const next = await take(moved, 'two');
    assert.deepEqual(await moved.diff(ref, next, signal), []);
    await moved.remove([ref]);
    assert.deepEqual(await moved.list(), [next]);
  });

  it('keep two workspaces of one subvolume apart', async () => {
    const one = await open(disk.current.folderOf('one'));
    const other = await open(disk.current.folderOf('other'));
    const refs = [await take(one, 'same'), await take(other, 'same')];
    assert.notEqual(refs[0], refs[1]);
    assert.deepEqual(await one.list(), [refs[0]]);
    assert.deepEqual(await other.list(), [refs[1]]);
  });

  it('keep two owners in one store apart', async () => {
    const workspace = disk.current.subvolume('project');
    const mine = await open(workspace, `${elsewhere.path}/mine`);
    await checkOwners(mine, await open(workspace, `${elsewhere.path}/others`));
    assert.deepEqual(disk.current.subvolumes(), ['.ah-snapshots', 'project']);
  });

  it('are shared by all processes with the same folder, and never about to be removed', async () => {
    const workspace = disk.current.subvolume('project');
    await checkSharing((exec) => open(workspace, elsewhere.path, exec));
    assert.deepEqual(disk.current.subvolumes(), ['.ah-snapshots', 'project']);
  });

  it('refuse names that lead elsewhere', async () => {
    const provider = await open(disk.current.folderOf('project'));
    for (const name of ['../x', 'a/b', '', 'x'.repeat(300)]) {
      await assert.rejects(provider.take({ name, label: '', signal }), { code: 'bad-ref' });
    }
    await assert.rejects(provider.remove(['../../etc']), { code: 'bad-ref' });
    await take(provider, 'one');
    await assert.rejects(provider.take({ name: 'one', label: '', signal }), {
      code: 'snapshot-exists',
    });
  });

  it('are refused with a reason outside of Btrfs and without the tool', async () => {
    const off = await detect(elsewhere.path, elsewhere.path);
    assert.deepEqual(off, { refusal: `${elsewhere.path} is not on a Btrfs file system.` });
    const withoutTool: Exec = (program, args, options) =>
      /btrfs$/.test(program)
        ? Promise.reject(Object.assign(new Error('spawn btrfs ENOENT'), { code: 'ENOENT' }))
        : nodeExec(program, args, options);
    assert.deepEqual(await detect(disk.current.folder, elsewhere.path, withoutTool), {
      refusal: 'The command btrfs is not installed (package btrfs-progs).',
    });
  });

  it('are refused if they would be among the user’s own files', async () => {
    const refusal = await detect(disk.current.folder, elsewhere.path);
    assert.ok('refusal' in refusal);
    assert.match(
      refusal.refusal,
      /^Snapshots of .* can't be stored anywhere\. .*not a btrfs filesystem/i,
    );
    assert.deepEqual(fs.readdirSync(disk.current.folder), []);
    assert.deepEqual(fs.readdirSync(elsewhere.path), []);
    assert.deepEqual(fs.readdirSync(path.dirname(disk.current.folder)).sort(), ['image', 'mnt']);
  });
});
