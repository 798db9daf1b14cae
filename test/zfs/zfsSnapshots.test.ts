// Runs in the virtual machine, bundled; see scripts/tasks/zfs.mjs.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { nodeExec } from '../../src/platform/node/processes/exec.ts';
import { nodeProcesses } from '../../src/platform/node/processes/processes.ts';
import { nodeFiles } from '../../src/platform/node/files/files.ts';
import { SystemClock } from '../../src/platform/node/systemClock.ts';
import type { Exec } from '../../src/snapshots/common/ports.ts';
import type { Detection, SnapshotProvider } from '../../src/snapshots/common/provider.ts';
import { detectZfs } from '../../src/snapshots/zfs/detectZfs.ts';
import { SOME_USER } from '../support/volumes/someUser.ts';
import {
  checkContract,
  checkHardLinks,
  checkOwners,
  checkRandomWork,
  checkRestore,
  stateOf,
  take,
} from '../support/volumes/providerContract.ts';
import { checkSharing } from '../support/volumes/sharingContract.ts';
import { treeState } from '../support/volumes/treeState.ts';

const { signal } = new AbortController();
const clock = new SystemClock();
/** The bundle of this test puts this program beside this file. */
const contractMain = path.join(import.meta.dirname, 'contractMain.mjs');

describe('snapshots on ZFS', function () {
  // The virtual machine emulates the processor, which is slow.
  this.timeout(900_000);
  let dataset = '';
  let home = '';
  /** The part of the name that identifies the owner; it survives renaming the dataset. */
  let data = '';
  let count = 0;

  beforeEach(() => {
    dataset = `tank/test${count++}`;
    zfs('create', dataset);
    home = `/${dataset}`;
    data = `${home}/data`;
  });
  afterEach(() => zfs('destroy', '-R', dataset));

  function zfs(...args: string[]): string {
    return execFileSync('zfs', args, { encoding: 'utf8' });
  }

  function snapshots(): string[] {
    const names = zfs('list', '-H', '-r', '-t', 'snapshot', '-o', 'name', 'tank');
    return names.split('\n').filter((name) => name !== '');
  }

  function folder(name: string, owner = 0): string {
    const place = path.join(home, name);
    fs.mkdirSync(place, { recursive: true });
    fs.chownSync(place, owner, owner);
    return place;
  }

  function detect(workspace: string, exec: Exec = nodeExec): Promise<Detection> {
    return detectZfs({
      workspace,
      privateFolder: data,
      exec,
      files: nodeFiles,
      processes: nodeProcesses,
      clock,
    });
  }

  async function open(workspace: string, exec?: Exec): Promise<SnapshotProvider> {
    const detection = await detect(workspace, exec);
    if ('refusal' in detection) throw new Error(detection.refusal);
    return detection.provider;
  }

  function asUser(workspace: string): string {
    const args = [
      contractMain,
      'zfs',
      workspace,
      folder('data', SOME_USER),
      folder('scratch', SOME_USER),
    ];
    const options = { uid: SOME_USER, gid: SOME_USER, encoding: 'utf8' as const, cwd: '/' };
    const result = spawnSync(process.execPath, args, options);
    if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`);
    return result.stdout.trim();
  }

  it('fulfil the contract for a dataset', async () => {
    const scratch = fs.mkdtempSync('/tmp/clones-');
    const provider = await detectZfs({
      workspace: home,
      privateFolder: scratch,
      exec: nodeExec,
      files: nodeFiles,
      processes: nodeProcesses,
      clock,
    });
    assert.ok('provider' in provider);
    await checkContract(provider.provider, scratch);
    assert.deepEqual(snapshots(), []);
    assert.equal(zfs('list', '-H', '-r', '-o', 'name', dataset).trim(), dataset);
  });

  it('fulfil the contract for a folder in a dataset', async () => {
    await checkContract(await open(folder('me/project')), home);
    assert.deepEqual(snapshots(), []);
  });

  it('keep two owners in one dataset apart', async () => {
    const [mine, others] = await Promise.all(
      ['mine', 'others'].map(async (name) => {
        const data = { workspace: folder('project'), privateFolder: `${home}/${name}` };
        const detection = await detectZfs({
          ...data,
          exec: nodeExec,
          files: nodeFiles,
          processes: nodeProcesses,
          clock,
        });
        assert.ok('provider' in detection);
        return detection.provider;
      }),
    );
    await checkOwners(mine!, others!);
    assert.deepEqual(snapshots(), []);
  });

  it('are shared by all processes with the same folder, and never about to be removed', async () => {
    const workspace = folder('project');
    await checkSharing((exec) => open(workspace, exec));
    assert.deepEqual(snapshots(), []);
  });

  it('survive random work', async () => {
    await checkRandomWork(await open(folder('project')), 1, 6);
  });

  it('detect a change of a file under all of its hard links', async () => {
    await checkHardLinks(await open(folder('home/project')), `${home}/home`);
  });

  it('restore empty folders and modes, and leave repositories alone', async () => {
    await checkRestore(await open(folder('home/project')));
  });

  it('list nested datasets and mounts', async () => {
    const workspace = folder('project');
    zfs('create', '-o', `mountpoint=${workspace}/nested`, `${dataset}/nested`);
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder('project/in memory')]);
    const taken = await (await open(workspace)).take({ name: 'one', label: '', signal });
    assert.deepEqual(taken.omissions, [
      { path: 'nested', reason: 'special', detail: 'a mounted zfs file system' },
      { path: 'in memory', reason: 'special', detail: 'a mounted tmpfs file system' },
    ]);
    execFileSync('umount', [`${workspace}/in memory`]);
  });

  it('stay while a clone needs them, and only ours are ever removed', async () => {
    const workspace = folder('project');
    zfs('snapshot', `${dataset}@mine`);
    const provider = await open(workspace);
    const ref = await take(provider, 'one');
    const destination = '/tmp/a-clone';
    await provider.clone({ ref, destination, name: 'one', signal });
    await assert.rejects(provider.remove([ref]), { code: 'snapshot-in-use' });
    assert.deepEqual(await provider.list(), [ref]);
    await provider.removeClone(destination);
    await provider.remove([ref]);
    await assert.rejects(provider.remove(['mine:project']), { code: 'bad-ref' });
    assert.deepEqual(snapshots(), [`${dataset}@mine`]);
  });

  it('are found after the workspace moved, or its dataset was renamed', async () => {
    const workspace = folder('project');
    fs.writeFileSync(`${workspace}/file`, 'content');
    const before = treeState(workspace);
    const ref = await take(await open(workspace), 'one');
    fs.renameSync(workspace, `${home}/renamed`);
    const moved = await open(`${home}/renamed`);
    assert.deepEqual(await stateOf(moved, ref), before);
    assert.deepEqual(await moved.diff(ref, 'workspace', signal), []);
    fs.renameSync(`${home}/renamed`, workspace);
    zfs('rename', dataset, `${dataset}-new`);
    dataset = `${dataset}-new`;
    home = `/${dataset}`;
    const renamed = await open(`${home}/project`);
    assert.deepEqual(await renamed.list(), [ref]);
    assert.deepEqual(await stateOf(renamed, ref), before);
  });

  it('are refused with a reason outside of ZFS, through a bind mount, and without the tool', async () => {
    assert.deepEqual(await detect('/tmp'), { refusal: '/tmp is not on a ZFS file system.' });
    const bound = fs.mkdtempSync('/tmp/bound-');
    execFileSync('mount', ['--bind', folder('project'), bound]);
    assert.deepEqual(await detect(bound), {
      refusal: `The snapshots of ${dataset} can't be accessed through ${bound}.`,
    });
    execFileSync('umount', [bound]);
    const withoutTool: Exec = (program, args, options) =>
      /zfs$/.test(program)
        ? Promise.reject(Object.assign(new Error('spawn zfs ENOENT'), { code: 'ENOENT' }))
        : nodeExec(program, args, options);
    assert.deepEqual(await detect(home, withoutTool), {
      refusal: 'The command zfs is not installed (package zfsutils-linux).',
    });
  });

  it('are refused with a reason to a user without rights', () => {
    assert.match(
      asUser(folder('project', SOME_USER)),
      /^refused: This user may not take ZFS snapshots of .*permission denied.*zfs allow USER/,
    );
    assert.deepEqual(snapshots(), []);
  });

  it('are refused to a user who may take but not destroy them; only the trial snapshot remains', () => {
    zfs('allow', '-u', String(SOME_USER), 'snapshot', dataset);
    const workspace = folder('project', SOME_USER);
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.match(
        asUser(workspace),
        /^refused: This user may not destroy ZFS snapshots of .*-probe remains\.$/,
      );
    }
    assert.equal(snapshots().length, 1);
  });

  it('fulfil the contract for a user who may only snapshot and destroy: clones are copies', () => {
    zfs('allow', '-u', String(SOME_USER), 'snapshot,destroy,mount', dataset);
    assert.equal(asUser(folder('project', SOME_USER)), 'the contract holds');
    assert.deepEqual(snapshots(), []);
  });

  it('fulfil the contract for a user with every right', () => {
    const rights = 'snapshot,destroy,mount,create,clone,mountpoint,canmount,diff,rollback';
    zfs('allow', '-u', String(SOME_USER), rights, dataset);
    assert.equal(asUser(folder('project', SOME_USER)), 'the contract holds');
    assert.deepEqual(snapshots(), []);
  });
});
