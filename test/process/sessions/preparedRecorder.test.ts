import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { markInterrupted } from '../../../src/sessions/node/liveness.ts';
import { newSessionId, prepareRecorder } from '../../../src/sessions/node/recorderLauncher.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { openSnapshotProvider } from '../../../src/snapshots/node/open/openProviders.ts';
import type { ProviderName } from '../../../src/snapshots/common/provider.ts';
import { hostFile, outputOf, readRecording, until } from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const killer = path.resolve(import.meta.dirname, '../../support/processes/killBefore.cjs');
/** Characters that some readers take for line ends, and quotes. */
const ODD = 'a\u2028b\u2029c\u0085d"e\\';

describe('a recorder before its terminal exists', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const folder = useTemporaryFolder();
  let workspace = '';

  afterEach(() => {
    for (const name of ['NODE_OPTIONS', 'AH_KILL_PLAN']) delete process.env[name];
  });

  async function ready(cmd = ['/bin/sh', '-c', 'touch ran; stty size']) {
    await userGit(workspace, 'init', '-q');
    writeFileSync(path.join(workspace, 'a.txt'), 'one\n');
    const id = newSessionId();
    const sessionFolder = path.join(sandbox.current.folder, 'sessions', id);
    const recording = path.join(sessionFolder, 'session.ahr');
    process.env['AH_DATA_DIR'] = sandbox.current.folder; // The recorder is started with this process's environment.
    const recorder = prepareRecorder(hostFile, {
      id,
      folder: sessionFolder,
      recording,
      isExternal: false,
      cwd: workspace,
      cmd,
      workspace,
      env: { PATH: process.env['PATH'] ?? '', ODD },
      brotliQ: 4,
      ipc: { kind: 'uds' },
      waitForClient: false,
    });
    return { id, folder: sessionFolder, recording, recorder };
  }

  async function references(): Promise<readonly string[]> {
    const provider = await openSnapshotProvider(workspace);
    const refs = await provider.list();
    provider.dispose();
    return refs;
  }

  /** The snapshot taken before the terminal exists; the next one is compared with it. */
  async function keptAhead(provider: ProviderName): Promise<string> {
    let refs: readonly string[] = [];
    const isKept = async () => {
      refs = await references();
      return refs.length === 1 && (provider !== 'btrfs' || isNamed(refs[0]!));
    };
    await until(isKept, 'the first snapshot');
    return refs[0]!;
  }

  /**
   * On Btrfs a file names the newest snapshot. A snapshot that is only listed may be incomplete.
   */
  function isNamed(ref: string): boolean {
    const disk = path.dirname(workspace);
    const found = execFileSync('find', [disk, '-name', 'newest', '-type', 'f']);
    const files = found.toString().split('\n').filter(Boolean);
    return files.some((file) => readFileSync(file, 'utf8') === ref);
  }

  /** The session's files when its program started. */
  async function startOf(id: string) {
    const files = await SessionFiles.open(await sandbox.current.catalogue.get(id));
    const [first] = files.snapshots;
    assert.deepEqual([first?.id, first?.label, first?.files.state], [1n, 'Session start', 'kept']);
    const names = (await (await files.tree(1n)).list('')).map(({ name }) => name);
    const { ref, provider } = files.kept(1n);
    await files.dispose();
    return { ref, provider, names: names.filter((name) => name !== '.git').sort() };
  }

  async function pruned(): Promise<readonly string[]> {
    const { exitCode, stderr } = await sandbox.current.run('agent', 'fs', 'prune');
    assert.equal(exitCode, 0, stderr);
    return references();
  }

  function keepsFilesAhead(provider: ProviderName): void {
    it('takes a snapshot meanwhile, and starts the program with the given size', async () => {
      const { id, recording, recorder } = await ready();
      const ahead = await keptAhead(provider);
      assert.equal(existsSync(path.join(workspace, 'ran')), false);
      writeFileSync(path.join(workspace, 'saved meanwhile'), '');
      await recorder.begin({ cols: 101, rows: 33 });
      await sandbox.current.settled();
      const { records } = await readRecording(recording);
      assert.match(outputOf(records).toString(), /^33 101\r?\n/);
      assert.equal(existsSync(path.join(workspace, 'ran')), true);
      const { ref, names } = await startOf(id);
      assert.deepEqual(names, ['a.txt', 'saved meanwhile'], 'as it was when the program started');
      assert.notEqual(ref, ahead);
      assert.equal((await references()).length, 3, 'ahead, before the program has run, and after');
      const left = await pruned();
      assert.equal(left.includes(ahead), false, 'nothing refers to it');
      assert.deepEqual((await startOf(id)).names, names);
    });

    it('starts with that snapshot if no file has changed', async () => {
      const { id, recorder } = await ready();
      const ahead = await keptAhead(provider);
      await recorder.begin({ cols: 80, rows: 24 });
      await sandbox.current.settled();
      assert.equal((await startOf(id)).ref, ahead);
      assert.equal((await references()).length, 2, 'before the program has run, and after it');
      const left = await pruned();
      assert.ok(left.includes(ahead));
      assert.deepEqual((await startOf(id)).names, ['a.txt']);
    });

    it('leaves that snapshot to another session that uses it, if it starts with another one', async () => {
      const { id, recorder } = await ready();
      const ahead = await keptAhead(provider);
      const place = { cwd: workspace, workspace };
      const other = await sandbox.current.launch(['/bin/sh', '-c', 'true'], place);
      const isOver = async () => (await other.session()).meta.state === 'finished';
      await until(isOver, 'the end of the other session');
      writeFileSync(path.join(workspace, 'saved meanwhile'), '');
      await recorder.begin({ cols: 80, rows: 24 });
      await sandbox.current.settled();
      const left = await pruned();
      const own = await startOf(id);
      assert.ok(left.includes(ahead), 'the other session needs it');
      assert.ok(left.includes(own.ref), 'and this one its own');
      assert.deepEqual(own.names, ['a.txt', 'saved meanwhile']);
      assert.deepEqual(await startOf(other.id), { ref: ahead, provider, names: ['a.txt'] });
    });

    it('loses no snapshot when it is killed before the line is written', async () => {
      const plan = path.join(sandbox.current.folder, 'plan');
      process.env['AH_KILL_PLAN'] = plan;
      process.env['NODE_OPTIONS'] = `--require ${killer}`;
      const { id, recorder } = await ready(['/bin/sh', '-c', 'sleep 60']);
      delete process.env['NODE_OPTIONS'];
      const ahead = await keptAhead(provider);
      const log = path.join(sandbox.current.folder, 'log');
      writeFileSync(plan, JSON.stringify({ log, match: 'write .*session\\.snapshots\\.jsonl$' }));
      await recorder.begin({ cols: 80, rows: 24 }).catch(() => undefined);
      // The last of its threads may run a little longer.
      const isKnownDead = async () => {
        await markInterrupted(sandbox.current.catalogue);
        return (await sandbox.current.catalogue.get(id)).meta.state === 'interrupted';
      };
      await until(isKnownDead, 'the recorder to be dead');
      assert.deepEqual(await startOf(id), { ref: ahead, provider, names: ['a.txt'] });
    });

    it('leaves its snapshot to the next pruning when it is abandoned', async () => {
      const { recorder } = await ready();
      await keptAhead(provider);
      recorder.abandon();
      await sandbox.current.settled();
      assert.deepEqual(await pruned(), []);
    });
  }

  describe('with git', () => {
    beforeEach(() => (workspace = folder.path) && undefined);
    keepsFilesAhead('git');
  });

  describe('with Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 256 });
    beforeEach(() => (workspace = disk.current.subvolume('project')) && undefined);
    keepsFilesAhead('btrfs');
  });

  describe('of any kind', () => {
    beforeEach(() => (workspace = folder.path) && undefined);

    it('accepts lines with any characters', async () => {
      const { recording, recorder } = await ready(['/bin/sh', '-c', 'printf %s "$ODD"']);
      await recorder.begin({ cols: 80, rows: 24 });
      await sandbox.current.settled();
      const { records } = await readRecording(recording);
      assert.equal(outputOf(records).toString(), ODD);
    });

    it('leaves nothing behind when it is stopped', async () => {
      const { folder: made } = await ready();
      await until(() => existsSync(made), 'the folder of the session');
      for (const pid of sandbox.current.recorders()) process.kill(pid, 'SIGTERM');
      await sandbox.current.settled();
      assert.equal(existsSync(made), false);
    });

    it('leaves nothing behind when it is abandoned', async () => {
      const { id, folder: made, recorder } = await ready();
      await until(() => existsSync(made), 'the folder of the session');
      recorder.abandon();
      await sandbox.current.settled();
      assert.equal(existsSync(made), false);
      await assert.rejects(sandbox.current.catalogue.get(id));
      assert.equal(existsSync(path.join(workspace, 'ran')), false);
      await assert.rejects(recorder.begin({ cols: 80, rows: 24 }), { code: 'abandoned' });
    });
  });
});
