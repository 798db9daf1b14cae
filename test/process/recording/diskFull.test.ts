import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { outputOf, readRecording, until } from '../../support/ah.ts';
import { patternBytes } from '../../support/recording/patternBytes.ts';
import { untilFile } from '../../support/processes/shellScripts.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { unmount } from '../../support/volumes/unmount.ts';

const emitter = path.resolve(import.meta.dirname, '../../support/recording/emitBytes.ts');
const MIB = 1024 * 1024;

describe('a disk that fills up', () => {
  const sandbox = useSandbox();
  let disk = '';

  beforeEach(() => {
    disk = mkdtempSync(path.join(tmpdir(), 'ah-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
  });
  afterEach(async () => {
    await sandbox.current.dispose();
    await unmount(disk);
    rmdirSync(disk);
  });

  it('is reported to clients; the program continues, and nothing is lost once there is space', async function () {
    this.timeout(60_000);
    const filler = path.join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(3 * MIB));
    const total = 3 * MIB;
    const recording = path.join(disk, 'run.ahr');
    const goesOn = path.join(sandbox.current.folder, 'goesOn');
    const go = path.join(sandbox.current.folder, 'go');
    const emit = `${process.execPath} ${emitter} text ${total} 4096`;
    const script = `${emit}; echo alive; touch '${goesOn}'; ${untilFile(go)}; echo done`;
    const launched = await sandbox.current.launch(['/bin/sh', '-c', script], { recording });
    const client = await RecorderClient.connect(launched.hostSocket);
    const told: (string | null)[] = [];
    client.onDidChangeTrouble((message) => told.push(message));
    await client.attach({
      from: 'start',
      answersQueries: false,
      lossless: false,
      windowBytes: 16 * MIB,
      historyLines: 0,
    });
    await until(() => told.length > 0, 'the trouble to be told');
    assert.match(told[0]!, /ENOSPC|no space/i);
    assert.match((await client.status()).trouble ?? '', /ENOSPC|no space/i);

    // Written blocks stay readable, and the program continues.
    const during = await readRecording(recording);
    const goodBytes = outputOf(during.records);
    assert.ok(goodBytes.length > 0);
    assert.deepEqual(goodBytes, Buffer.from(patternBytes('text', 0, goodBytes.length)));
    await until(() => existsSync(goesOn), 'the program to go on');
    assert.equal((await client.status()).isRunning, true);

    rmSync(filler);
    await until(() => told.at(-1) === null, 'the recovery to be told');
    writeFileSync(go, '');
    await sandbox.current.settled(30_000);
    const { reader, records } = await readRecording(recording);
    assert.equal(reader.problem, undefined);
    assert.equal(reader.isFinished, true);
    const expected = Buffer.concat([
      patternBytes('text', 0, total),
      Buffer.from('alive\r\ndone\r\n'),
    ]);
    assert.deepEqual(outputOf(records), expected);
  });

  it('does not stop a session that has ended: it is completed when there is room', async function () {
    this.timeout(60_000);
    const filler = path.join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(3.5 * MIB));
    const recording = path.join(disk, 'run.ahr');
    const args = [emitter, 'text', String(2 * MIB), '4096'];
    const launched = await sandbox.current.launch([process.execPath, ...args], { recording });
    const client = await RecorderClient.connect(launched.hostSocket);
    await until(async () => !(await client.status()).isRunning, 'the program to end');
    assert.match((await client.status()).trouble ?? '', /ENOSPC|no space/i);
    rmSync(filler);
    await sandbox.current.settled(30_000);
    const { reader, records } = await readRecording(recording);
    assert.equal(reader.isFinished, true);
    assert.deepEqual(outputOf(records), Buffer.from(patternBytes('text', 0, 2 * MIB)));
  });
});
