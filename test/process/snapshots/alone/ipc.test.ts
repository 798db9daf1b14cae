import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseExactJson } from '../../../../src/base/exactJson.ts';
import { RecorderClient } from '../../../../src/sessions/node/recorderClient.ts';
import { SessionFiles } from '../../../../src/snapshots/node/list/sessionFiles.ts';
import { readSnapshots } from '../../../../src/snapshots/node/list/snapshotsFile.ts';
import { MAX_SNAPSHOT_MESSAGE_BYTES } from '../../../../src/snapshots/common/snapshotNotice.ts';
import {
  decodeSnapshotReply,
  encodeSnapshotNotice,
  type SnapshotReply,
} from '../../../mockAgent/ipc/snapshotNotice.ts';
import {
  collect,
  outputOf,
  readRecording,
  until,
  type LaunchedSession,
} from '../../../support/ah.ts';
import { assertAgreement } from '../../../support/git/snapshotAgreement.ts';
import { useSandbox } from '../../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { slowTest } from '../../../support/tiers.ts';

const NOBODY = 65534;

describe('snapshot notifications', () => {
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  it('are on disk, in both files, before they are answered', async () => {
    const launched = await launch();
    const response = await ask(await ipcSocket(launched), {
      snapshotId: 45n,
      label: 'nach dem Tööl',
    });
    // The recorder is killed before it can write anything after its answer.
    await sandbox.current.killRecorders();
    assert.ok(response.ok);
    const { records } = await readRecording(launched.recording);
    const record = records.find((candidate) => candidate.kind === 'snapshot');
    assert.equal(record?.snapshotId, 45n);
    assert.equal(record?.label, 'nach dem Tööl');
    assert.equal(BigInt(record.anchorByte), response.anchorByte);
    assert.equal(record?.tsNs, response.tsNs);
    assert.equal(
      response.anchorByte,
      BigInt(outputOf(records).length),
      'behind all that was printed',
    );
    const [line] = (await readFile(`${launched.folder}/session.snapshots.jsonl`, 'utf8')).split(
      '\n',
    );
    assert.deepEqual(parseExactJson(line!), {
      id: 45,
      ts_ns: response.tsNs,
      label: 'nach dem Tööl',
      kind: 'auto',
      anchor_byte: record.anchorByte,
    });
  });

  it('match the bytes of the reference implementation', async () => {
    const launched = await launch();
    const socket = connect(await ipcSocket(launched));
    socket.write(Buffer.from('0f000000' + '00' + '2d00000000000000' + '0c000000' + '6869', 'hex'));
    const answer = await nextBytes(socket, 4 + 25);
    assert.equal(answer.subarray(0, 13).toString('hex'), '19000000' + '00' + '2d00000000000000');
    socket.destroy();
  });

  it('can be sent over TCP on loopback', async () => {
    const launched = await launch({ kind: 'tcp', host: '127.0.0.1', port: 0 });
    const address = await ipcSocket(launched);
    assert.match(address, /^tcp:127\.0\.0\.1:\d+$/);
    assert.ok((await ask(address, { snapshotId: 1n, label: '' })).ok);
    assert.equal(await connectAsNobody(address), 'closed', 'another user is turned away');
  });

  it('handle many clients at once, in one order', async () => {
    const launched = await launch();
    const address = await ipcSocket(launched);
    const ids = Array.from({ length: 40 }, (_, index) => BigInt(index));
    const answers = await Promise.all(
      ids.map((snapshotId) => ask(address, { snapshotId, label: `l${snapshotId}` })),
    );
    assert.ok(answers.every(({ ok }) => ok));
    const { records } = await readRecording(launched.recording);
    const recorded = records
      .filter((record) => record.kind === 'snapshot')
      .map(({ snapshotId }) => snapshotId);
    assert.deepEqual(
      [...recorded].sort((a, b) => Number(a - b)),
      ids,
    );
    const lines = (await readFile(`${launched.folder}/session.snapshots.jsonl`, 'utf8'))
      .trim()
      .split('\n');
    assert.equal(lines.length, ids.length);
  });

  it('are refused if our own snapshot has the number, which stays', async () => {
    const { launched, address, client } = await launchKept();
    const refused = await ask(address, { snapshotId: 1n, label: 'theirs' });
    assert.match(refused.ok ? '' : refused.error, /number 1\.$/);
    assert.ok((await ask(address, { snapshotId: 2n, label: 'theirs' })).ok);
    const again = await ask(address, { snapshotId: 2n, label: 'another of theirs' });
    assert.match(again.ok ? '' : again.error, /number 2\.$/);
    writeFileSync(path.join(workspace.path, 'a.txt'), 'two\n');
    const ours = await client.snapshot({ label: 'ours', kind: 'manual', trigger: 'manual' });
    assert.equal(ours?.id, 3n, 'an unused number');
    client.dispose();
    await assertMoments(launched, [
      [1n, 'Session start', 'kept'],
      [2n, 'theirs', 'elsewhere'],
      [3n, 'ours', 'kept'],
      [4n, 'Session end', 'kept'],
    ]);
  });

  it('may have the largest number without limiting our own', async () => {
    const { launched, address, client } = await launchKept();
    const largest = 2n ** 64n - 1n;
    assert.ok((await ask(address, { snapshotId: largest, label: 'theirs' })).ok);
    const ours = await client.snapshot({ label: 'ours', kind: 'manual', trigger: 'manual' });
    assert.equal(ours?.id, 2n);
    client.dispose();
    await assertMoments(launched, [
      [1n, 'Session start', 'kept'],
      [largest, 'theirs', 'elsewhere'],
      [2n, 'ours', 'kept'],
      [3n, 'Session end', 'kept'],
    ]);
  });

  it('that are malformed get an error, and the connection continues', async () => {
    const launched = await launch();
    const socket = connect(await ipcSocket(launched));
    const bad = {
      'an unknown selector': '0100000007',
      'an empty message': '00000000',
      'a short request': '03000000000102',
      'a wrong offset': '0d00000000' + '0100000000000000' + '0d000000',
      'a label that is not UTF-8': '0f00000000' + '0100000000000000' + '0c000000' + 'fffe',
    };
    for (const [what, hex] of Object.entries(bad)) {
      socket.write(Buffer.from(hex, 'hex'));
      const response = await nextResponse(socket);
      assert.equal(response.ok, false, what);
      assert.match(response.ok ? '' : response.error, /\w+.*\.$/, what);
    }
    socket.write(encodeSnapshotNotice(2n, 'fine'));
    assert.ok((await nextResponse(socket)).ok);
    socket.destroy();
    await assertUnharmed(launched);
  });

  it('that are too long are refused before they are read', async () => {
    const launched = await launch();
    const socket = connect(await ipcSocket(launched));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(MAX_SNAPSHOT_MESSAGE_BYTES + 1);
    socket.write(length);
    const response = await nextResponse(socket);
    assert.match(response.ok ? '' : response.error, /too long/);
    await closed(socket);
    await assertUnharmed(launched);
  });

  slowTest(
    "of clients that hang, flood, vanish or never end don't disturb the session",
    async function () {
      this.timeout(30_000);
      const launched = await launch();
      const address = await ipcSocket(launched);
      const half = connect(address);
      half.write(Buffer.from('0f0000', 'hex')); // Never finished: cut off after ten seconds.
      for (let index = 0; index < 50; index++)
        connect(address)
          .on('error', () => {})
          .destroy();
      const flood = connect(address).on('error', () => {});
      flood.write(Buffer.alloc(8 * 1024 * 1024, 0xff));
      const deaf = connect(address); // Asks and never reads the answers.
      deaf.pause();
      for (let index = 0; index < 200; index++) deaf.write(encodeSnapshotNotice(9n, 'x'));
      assert.ok((await ask(address, { snapshotId: 3n, label: 'still served' })).ok);
      await closed(half);
      deaf.destroy();
      await assertUnharmed(launched);
    },
  );

  it('are accepted from the same user only, like attached clients', async () => {
    const launched = await launch();
    for (const address of [await ipcSocket(launched), launched.hostSocket]) {
      assert.match(await connectAsNobody(address), /EACCES/);
    }
    // The sockets themselves are private, not only their folder.
    for (const folder of [
      sandbox.current.folder,
      `${sandbox.current.folder}/sessions`,
      launched.folder,
    ]) {
      chmodSync(folder, 0o755);
    }
    for (const address of [await ipcSocket(launched), launched.hostSocket]) {
      assert.match(await connectAsNobody(address), /EACCES/);
    }
  });

  async function launch(
    ipc: { kind: 'uds' } | { kind: 'tcp'; host: string; port: number } = { kind: 'uds' },
  ) {
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'echo ready; cat'], { ipc });
    await until(
      async () => (await readRecording(launched.recording)).records.length > 1,
      'some output',
    );
    return launched;
  }

  /** A session with snapshots from its start. */
  async function launchKept() {
    writeFileSync(path.join(workspace.path, 'a.txt'), 'one\n');
    const place = { cwd: workspace.path, workspace: workspace.path };
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'cat'], place);
    const isKept = async () => (await readSnapshots(launched.folder))[0]?.files.state === 'kept';
    await until(isKept, 'the first snapshot');
    const client = await RecorderClient.connect(launched.hostSocket);
    return { launched, address: await ipcSocket(launched), client };
  }

  /**
   * Checks that recording and list have exactly these moments, and that our snapshots survive
   * pruning.
   */
  async function assertMoments(
    launched: LaunchedSession,
    expected: readonly (readonly [id: bigint, label: string, state: string])[],
  ): Promise<void> {
    await assertUnharmed(launched);
    assert.equal((await sandbox.current.run('agent', 'fs', 'prune')).exitCode, 0);
    const files = await SessionFiles.open(await launched.session());
    assert.deepEqual(
      files.snapshots.map(({ id, label, files: { state } }) => [id, label, state]),
      expected,
    );
    await assertAgreement(launched.recording, files);
    await files.dispose();
  }

  async function ipcSocket(launched: LaunchedSession): Promise<string> {
    return (await launched.session()).meta.ipcSocket;
  }

  async function assertUnharmed(launched: LaunchedSession): Promise<void> {
    const { exitCode } = await sandbox.current.run('agent', 'stop', launched.id);
    assert.equal(exitCode, 0);
    await sandbox.current.settled();
    assert.equal((await launched.session()).meta.state, 'finished');
    assert.equal((await sandbox.current.run('agent', 'validate', launched.recording)).exitCode, 0);
  }
});

function open(address: string): Socket {
  const tcp = /^tcp:(.+):(\d+)$/.exec(address);
  return tcp ? connect(Number(tcp[2]), tcp[1]) : connect(address);
}

async function ask(
  address: string,
  request: { snapshotId: bigint; label: string },
): Promise<SnapshotReply> {
  const socket = open(address);
  socket.write(encodeSnapshotNotice(request.snapshotId, request.label));
  const response = await nextResponse(socket);
  socket.destroy();
  return response;
}

async function nextResponse(socket: Socket): Promise<SnapshotReply> {
  const prefix = await nextBytes(socket, 4);
  const body = await nextBytes(socket, prefix.readUInt32LE());
  const response = decodeSnapshotReply(Buffer.concat([prefix, body]));
  assert.ok(response, 'a well-formed answer');
  return response;
}

async function nextBytes(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes) return bytes;
    assert.ok(
      !socket.destroyed && !socket.readableEnded,
      'the connection was closed without an answer',
    );
    await Promise.race([new Promise((resolve) => socket.once('readable', resolve)), sleep(5000)]);
  }
}

function closed(socket: Socket): Promise<unknown> {
  socket.resume();
  return socket.destroyed
    ? Promise.resolve()
    : new Promise((resolve) => socket.on('close', resolve));
}

/**
 * What happens when another user connects: an error code, `closed` if the connection is cut, or
 * `open`.
 */
async function connectAsNobody(address: string): Promise<string> {
  const tcp = /^tcp:(.+):(\d+)$/.exec(address);
  const target = tcp ? `{ host: '${tcp[1]}', port: ${tcp[2]} }` : `'${address}'`;
  const script = `const s = require('net').connect(${target});
    s.on('error', (e) => { console.log(e.code); process.exit(); });
    s.on('close', () => { console.log('closed'); process.exit(); });
    setTimeout(() => { console.log('open'); process.exit(); }, 2000);`;
  const child = spawn('/usr/bin/env', ['node', '-e', script], {
    uid: NOBODY,
    gid: NOBODY,
    stdio: 'pipe',
  });
  return (await collect(child)).stdout.toString().trim();
}
