import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../../src/platform/node/processes/findProgram.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { readSnapshots } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import { acquireLock } from '../../../src/snapshots/git/storageLock.ts';
import type { SnapshotFiles } from '../../../src/snapshots/common/snapshotLine.ts';
import { outputOf, readRecording, until, type LaunchedSession } from '../../support/ah.ts';
import { fingerprint, realPorts, userGit } from '../../support/git/gitWorkspace.ts';
import { assertAgreement } from '../../support/git/snapshotAgreement.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { unmount } from '../../support/volumes/unmount.ts';

/** A program that echoes its input, to show at any time that it is recorded. */
const ECHO = 'while read line; do echo "heard $line"; done';

describe('snapshots of a session in trouble', function () {
  this.timeout(180_000);
  // Runs before the hook that removes the folder in which the disk is mounted.
  afterEach(async () => {
    client.dispose();
    process.env['PATH'] = searched;
    await sandbox.current.killRecorders();
    await unmount(store);
  });
  const sandbox = useSandbox();
  const folder = useTemporaryFolder();
  const searched = process.env['PATH'];
  let workspace = '';
  let store = '';
  let launched: LaunchedSession;
  let client: RecorderClient;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    put('a.txt', 'one\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'one');
    // A separate disk for the snapshots, so that the recording has room.
    store = path.join(sandbox.current.folder, 'snapshots');
    mkdirSync(store);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', store]);
  });
  function put(name: string, content: string | Uint8Array): void {
    writeFileSync(path.join(workspace, name), content);
  }

  async function record(): Promise<void> {
    const place = { cwd: workspace, workspace };
    launched = await sandbox.current.launch(['/bin/sh', '-c', ECHO], place);
    client = await RecorderClient.connect(launched.hostSocket);
  }

  async function take(): Promise<SnapshotFiles> {
    return (await client.snapshot({ label: 'taken', kind: 'manual', trigger: 'manual' }))!.files;
  }

  async function reasonOf(taking: Promise<SnapshotFiles>): Promise<string> {
    const files = await taking;
    assert.equal(files.state, 'failed');
    return files.state === 'failed' ? files.reason : '';
  }

  async function hears(text: string): Promise<void> {
    client.input(Buffer.from(`${text}\n`));
    const isThere = async () =>
      outputOf((await readRecording(launched.recording)).records).includes(`heard ${text}`);
    await until(isThere, text, 30_000);
  }

  /** Ends the session normally and checks that everything agrees and nothing incomplete is left. */
  async function assertSound(): Promise<void> {
    client.input(Buffer.from('\x04'));
    await sandbox.current.settled(60_000);
    const session = await launched.session();
    assert.deepEqual([session.meta.state, session.meta.exitCode], ['finished', 0]);
    const files = await SessionFiles.open(session);
    await assertAgreement(launched.recording, files);
    await files.dispose();
    const [storage] = readdirSync(store);
    assert.deepEqual(readdirSync(path.join(store, storage!, 'tmp')), []);
    const all = readdirSync(store, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      all.filter((name) => /\.tmp$|tmp_|\.lock$/.test(name)),
      [],
    );
    const bare = path.join(store, storage!, 'store.git');
    await userGit(bare, 'fsck', '--full', '--no-dangling', '--strict');
    await userGit(workspace, 'fsck', '--full', '--no-dangling', '--strict');
  }

  it('report a full disk, and are taken again when there is room', async () => {
    await record();
    assert.equal((await take()).state, 'kept');
    const noise = Array.from({ length: 100 }, () => crypto.getRandomValues(Buffer.alloc(65_536)));
    put('noise', Buffer.concat(noise));
    assert.match(await reasonOf(take()), /the disk is full/);
    await hears('one');
    assert.match(await reasonOf(take()), /the disk is full/);
    rmSync(path.join(workspace, 'noise'));
    put('a.txt', 'two\n');
    assert.equal((await take()).state, 'kept');
    await hears('two');
    await assertSound();
  });

  it('report a read-only disk, and are taken again when it is writable', async () => {
    await record();
    assert.equal((await take()).state, 'kept');
    execFileSync('mount', ['-o', 'remount,ro', store]);
    put('a.txt', 'two\n');
    assert.match(
      await reasonOf(take()),
      /^Can't take the snapshot: permission denied: .*read-only/,
    );
    await hears('one');
    execFileSync('mount', ['-o', 'remount,rw', store]);
    assert.equal((await take()).state, 'kept');
    await assertSound();
  });

  it('report that git is missing, and are taken again when it is back', async () => {
    const tools = path.join(folder.path, 'tools');
    mkdirSync(tools);
    const git = findProgram('git', process.env, '/');
    symlinkSync(git, path.join(tools, 'git'));
    process.env['PATH'] = tools;
    await record();
    process.env['PATH'] = searched;
    assert.equal((await take()).state, 'kept');
    rmSync(path.join(tools, 'git'));
    put('a.txt', 'two\n');
    assert.match(await reasonOf(take()), /git/);
    await hears('one');
    symlinkSync(git, path.join(tools, 'git'));
    assert.equal((await take()).state, 'kept');
    await assertSound();
  });

  for (const what of ['nothing else', 'another snapshot'])
    it(`complete after the end if another process holds the lock, at a moment recorded before it; ${what} is in progress`, async () => {
      await record();
      assert.equal((await take()).state, 'kept');
      const [storage] = readdirSync(store);
      const ports = { ...realPorts(), scratch: folder.path };
      const lock = await acquireLock(ports, path.join(store, storage!));
      put('a.txt', 'two\n');
      const other = { label: 'other', kind: 'auto', trigger: 'tool' } as const;
      if (what === 'another snapshot')
        assert.equal((await client.snapshot(other))?.files.state, 'pending');
      client.input(Buffer.from('\x04'));
      const isOver = async () => (await launched.session()).meta.state === 'finished';
      await until(isOver, 'the end', 30_000);
      const endOf = async () => (await readSnapshots(launched.folder)).at(-1);
      assert.deepEqual(
        [(await endOf())?.trigger, (await endOf())?.files.state],
        ['end', 'pending'],
      );
      // The recorder must still be alive, so that its pending snapshot is not lost. A recorder that
      // does not wait for the lock would have ended within this time.
      await sleep(200);
      (await RecorderClient.connect(launched.hostSocket)).dispose();
      await lock.release();
      await sandbox.current.settled(60_000);
      const files = await SessionFiles.open(await launched.session());
      const { id, files: kept } = files.snapshots.at(-1)!;
      assert.equal(kept.state === 'kept' && kept.isLate, true);
      assert.equal(Buffer.from(await (await files.tree(id)).read('a.txt')).toString(), 'two\n');
      await assertAgreement(launched.recording, files);
      await files.dispose();
    });

  it('work with a locked index, and list files that are too large', async () => {
    await record();
    put('.git/index.lock', 'somebody');
    put('huge', '');
    truncateSync(path.join(workspace, 'huge'), 3 * 2 ** 30);
    const before = fingerprint(path.join(workspace, '.git'));
    const files = await take();
    assert.ok(files.state === 'kept');
    assert.deepEqual(
      files.omissions.map(({ path: name, reason }) => [name, reason]),
      [['huge', 'too-large']],
    );
    assert.deepEqual(fingerprint(path.join(workspace, '.git')), before);
    await hears('one');
    rmSync(path.join(workspace, '.git/index.lock'));
    await assertSound();
  });
});
