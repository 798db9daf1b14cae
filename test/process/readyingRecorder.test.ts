import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSessionId, readyRecorder } from '../../src/node/sessions/recorderLauncher.ts';
import { SessionFiles } from '../../src/node/sessions/sessionFiles.ts';
import { openSnapshotProvider } from '../../src/node/snapshots/snapshotProviders.ts';
import { hostFile, outputOf, readRecording, until } from '../support/ah.ts';
import { userGit } from '../support/gitWorkspace.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { useTemporaryFolder } from '../support/temporaryFolder.ts';

/** What some take for ends of lines, and quotes. */
const ODD = 'a\u2028b\u2029c\u0085d"e\\';

describe('a recorder whose terminal is not there yet', () => {
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  async function ready(cmd = ['/bin/sh', '-c', 'touch ran; stty size']) {
    await userGit(workspace.path, 'init', '-q');
    writeFileSync(path.join(workspace.path, 'a.txt'), 'one\n');
    const id = newSessionId();
    const folder = path.join(sandbox.current.folder, 'sessions', id);
    const recording = path.join(folder, 'session.ahr');
    process.env['AH_DATA_DIR'] = sandbox.current.folder; // The host is started with this process's environment.
    const recorder = readyRecorder(hostFile, {
      ...{ id, folder, recording, isExternal: false, cwd: workspace.path },
      ...{ cmd, workspace: workspace.path, env: { PATH: process.env['PATH'] ?? '', ODD } },
      ...{ brotliQ: 4, ipc: { kind: 'uds' }, waitForClient: false },
    });
    return { id, folder, recording, recorder };
  }

  async function snapshotCount(): Promise<number> {
    const provider = await openSnapshotProvider(workspace.path);
    const { length } = await provider.list();
    provider.dispose();
    return length;
  }

  it('keeps the files meanwhile, and starts the program in one of the size that it is told', async () => {
    const { id, recording, recorder } = await ready();
    await until(async () => (await snapshotCount()) === 1, 'the first snapshot');
    assert.equal(existsSync(path.join(workspace.path, 'ran')), false);
    writeFileSync(path.join(workspace.path, 'saved meanwhile'), '');
    await recorder.begin({ cols: 101, rows: 33 });
    await sandbox.current.settled();
    const { records } = await readRecording(recording);
    assert.match(outputOf(records).toString(), /^33 101\r?\n/);
    assert.equal(existsSync(path.join(workspace.path, 'ran')), true);
    assert.equal(await snapshotCount(), 2, 'one before the program has run, and one after it');
    const files = await SessionFiles.open(await sandbox.current.catalogue.get(id));
    const names = (await (await files.tree(1n)).list('')).map(({ name }) => name);
    assert.deepEqual(
      names.sort(),
      ['a.txt', 'saved meanwhile'],
      'as it was when the program started',
    );
    await files.dispose();
  });

  it('is told lines with any character in them', async () => {
    const { recording, recorder } = await ready(['/bin/sh', '-c', 'printf %s "$ODD"']);
    await recorder.begin({ cols: 80, rows: 24 });
    await sandbox.current.settled();
    const { records } = await readRecording(recording);
    assert.equal(outputOf(records).toString(), ODD);
  });

  it('goes without a trace when it is stopped', async () => {
    const { folder } = await ready();
    await until(() => existsSync(folder), 'the folder of the session');
    for (const pid of sandbox.current.recorders()) process.kill(pid, 'SIGTERM');
    await sandbox.current.settled();
    assert.equal(existsSync(folder), false);
  });

  it('goes without a trace when there is never to be one', async () => {
    const { id, folder, recorder } = await ready();
    await until(() => existsSync(folder), 'the folder of the session');
    recorder.abandon();
    await sandbox.current.settled();
    assert.equal(existsSync(folder), false);
    await assert.rejects(sandbox.current.catalogue.get(id));
    assert.equal(existsSync(path.join(workspace.path, 'ran')), false);
    await assert.rejects(recorder.begin({ cols: 80, rows: 24 }), { code: 'abandoned' });
  });
});
