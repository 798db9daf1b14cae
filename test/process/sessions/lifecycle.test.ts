import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { collect, outputOf, processes, readRecording, until } from '../../support/ah.ts';
import { untilFile } from '../../support/processes/shellScripts.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { slowTest } from '../../support/tiers.ts';

describe('a recorded program', () => {
  const sandbox = useSandbox();

  it('ends with its own exit code', async () => {
    const { exitCode, stdout } = await sandbox.current.run(
      'agent',
      'record',
      '--',
      '/bin/sh',
      '-c',
      'echo bye; exit 42',
    );
    assert.equal(exitCode, 42);
    assert.equal(stdout.toString(), 'bye\r\n');
  });

  it('ends with its signal', async () => {
    const { exitCode } = await sandbox.current.run(
      'agent',
      'record',
      '--',
      '/bin/sh',
      '-c',
      'kill -SEGV $$',
    );
    assert.equal(exitCode, 128 + 11);
    const [session] = await sandbox.current.catalogue.list();
    assert.equal(session!.meta.signal, 11);
  });

  it('gets its session’s ID, socket and folder in its environment', async () => {
    const script =
      'echo $AH_SESSION_ID $AH_SESSION_DIR; test -S $AH_IPC_SOCKET && stat -c %a $AH_IPC_SOCKET $AH_SESSION_DIR';
    const { stdout } = await sandbox.current.run('agent', 'record', '--', '/bin/sh', '-c', script);
    const [session] = await sandbox.current.catalogue.list();
    assert.equal(stdout.toString(), `${session!.meta.id} ${session!.folder}\r\n600\r\n700\r\n`);
  });

  it('leaves files that only their owner can read, but no process, socket or temporary file', async () => {
    const { exitCode } = await sandbox.current.run(
      'agent',
      'record',
      '--',
      '/bin/sh',
      '-c',
      'echo one; sleep 0.2; echo two',
    );
    assert.equal(exitCode, 0);
    await sandbox.current.settled();
    const [session] = await sandbox.current.catalogue.list();
    const files = (await readdir(session!.folder)).sort();
    assert.deepEqual(files, [
      'session.ahr',
      'session.keyframes',
      'session.meta.json',
      'session.snapshots.jsonl',
    ]);
    for (const file of files)
      assert.equal(statSync(path.join(session!.folder, file)).mode & 0o077, 0, file);
  });

  it('is recorded into the given file, and nothing else stays', async () => {
    const file = path.join(sandbox.current.folder, 'my run.ahr');
    const { exitCode } = await sandbox.current.run(
      'agent',
      'record',
      '--out-file',
      file,
      '--',
      'echo',
      'hello',
    );
    assert.equal(exitCode, 0);
    await sandbox.current.settled();
    assert.equal(outputOf((await readRecording(file)).records).toString(), 'hello\r\n');
    assert.deepEqual(await sandbox.current.catalogue.list(), []);
    assert.deepEqual(await readdir(path.join(sandbox.current.folder, 'sessions')), []);
  });

  it('outlives the client that started it', async () => {
    const go = path.join(sandbox.current.folder, 'go');
    const child = sandbox.current.start(
      'agent',
      'record',
      '--',
      '/bin/sh',
      '-c',
      `echo begin; ${untilFile(go)}; echo end`,
    );
    const result = collect(child);
    await until(async () => (await sandbox.current.catalogue.list()).length > 0, 'the session');
    const { meta } = (await sandbox.current.catalogue.list())[0]!;
    await until(
      async () => (await readRecording(meta.recording)).records.length > 1,
      'some output',
    );
    child.kill('SIGKILL');
    await result;
    writeFileSync(go, '');
    await sandbox.current.settled();
    assert.equal(
      outputOf((await readRecording(meta.recording)).records).toString(),
      'begin\r\nend\r\n',
    );
  });

  slowTest('is stopped with all its processes, even if they ignore signals', async function () {
    this.timeout(30_000);
    const stubborn = 'trap "" HUP TERM; echo ready; while :; do sleep 0.02; done';
    const launched = await sandbox.current.launch(['/bin/sh', '-c', stubborn]);
    await until(
      async () => (await readRecording(launched.recording)).records.length > 1,
      'some output',
    );
    const client = await RecorderClient.connect(launched.hostSocket);
    const { pid } = await client.status();
    client.dispose();
    const { stdout, exitCode } = await sandbox.current.run('agent', 'stop', launched.id);
    assert.equal(exitCode, 0);
    assert.match(stdout.toString(), /has ended/);
    assert.ok(!processes().includes(pid));
    await sandbox.current.settled();
    const { meta } = await launched.session();
    assert.deepEqual([meta.state, meta.signal, meta.stoppedByUser], ['finished', 9, true]);
    assert.ok(!existsSync(launched.hostSocket));
  });

  it('does not count as failed when the user stopped it', async () => {
    const { current } = sandbox;
    const stopped = await current.launch(['/bin/sh', '-c', 'echo ready; exec cat']);
    const own = await RecorderClient.connect(stopped.hostSocket);
    own.onOutput((bytes) => own.acknowledge(bytes.length));
    const exits = new Promise((resolve) => own.onDidExit(resolve));
    await own.attach({
      from: 'start',
      answersQueries: false,
      lossless: true,
      windowBytes: 65536,
      historyLines: 0,
    });
    await current.run('agent', 'stop', stopped.id);
    assert.deepEqual(await exits, { exitCode: 0, signal: 1, stoppedByUser: true });
    own.dispose();
    // A signal to the recorder is no user's stop: a machine that shuts down sends it too.
    const ended = await current.launch(['/bin/sh', '-c', 'echo ready; exec cat']);
    process.kill((await ended.session()).meta.host.pid, 'SIGTERM');
    await current.settled();
    assert.equal((await stopped.session()).meta.stoppedByUser, true);
    assert.equal((await ended.session()).meta.stoppedByUser, undefined);
    const { stdout } = await current.run('agent', 'sessions');
    const [second, first] = stdout.toString().trim().split('\n').slice(1);
    assert.match(first!, / stopped /);
    assert.match(second!, / signal 1 /);
  });

  it('may leave a child on its terminal; the session ends with the program', async () => {
    const script = '(trap "" HUP; sleep 20) & echo started';
    const { exitCode, stdout } = await sandbox.current.run(
      'agent',
      'record',
      '--',
      '/bin/sh',
      '-c',
      script,
    );
    assert.equal(exitCode, 0);
    assert.equal(stdout.toString(), 'started\r\n');
    await sandbox.current.settled();
  });

  it('may have a session folder whose path is too long for a socket', async () => {
    const folder = path.join(sandbox.current.folder, 'x'.repeat(120), 'session');
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'echo deep'], {
      folder,
      recording: path.join(folder, 'session.ahr'),
    });
    assert.ok(Buffer.byteLength(launched.hostSocket) < 104);
    await sandbox.current.settled();
    assert.ok(!existsSync(launched.hostSocket));
    const { records } = await readRecording(path.join(folder, 'session.ahr'));
    assert.equal(outputOf(records).toString(), 'deep\r\n');
  });
});
