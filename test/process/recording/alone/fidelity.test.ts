import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressor } from '../../../../src/platform/node/files/brotli.ts';
import { FileSource } from '../../../../src/platform/node/files/fileSource.ts';
import { RecordingReader } from '../../../../src/recording/read/reader.ts';
import { dist, outputOf, readRecording } from '../../../support/ah.ts';
import { patternBytes, type Pattern } from '../../../support/recording/patternBytes.ts';
import { useSandbox } from '../../../support/useSandbox.ts';
import { isSoak } from '../../../support/soak.ts';
import { isQuick, slowTest } from '../../../support/tiers.ts';

const emitter = path.resolve(import.meta.dirname, '../../../support/recording/emitBytes.ts');
const MIB = 1024 * 1024;
const RUNS = isSoak ? 100 : isQuick ? 4 : 20;

describe('every byte is recorded', () => {
  const sandbox = useSandbox();

  async function recordedEquals(pattern: Pattern, total: number, writeSize: number): Promise<void> {
    const args = [emitter, pattern, String(total), String(writeSize)];
    const launched = await sandbox.current.launch([process.execPath, ...args]);
    await sandbox.current.settled(180_000);
    const { meta } = await launched.session();
    assert.deepEqual([meta.state, meta.exitCode, meta.totalBytes], ['finished', 0, total]);
    assert.equal(await recordedHash(launched.recording), expectedHash(pattern, total));
  }

  for (const pattern of ['all', 'random', 'broken'] as const) {
    it(`${pattern}: one byte at a time, and a megabyte at a time`, async function () {
      this.timeout(120_000);
      await recordedEquals(pattern, 20_000, 1);
      await recordedEquals(pattern, 8 * MIB + 17, MIB);
    });
  }

  slowTest('200 MB in one go', async function () {
    this.timeout(300_000);
    await recordedEquals('all', 200_000_000, 64 * 1024);
  });

  it(`at every size, at every try: ${RUNS} runs in a row of a program that floods and exits at once`, async function () {
    this.timeout(600_000);
    const sizes = [0, 1, 100, 4095, 4096, 65_537, 300_000, 1_000_000, 3_000_000, 70_000];
    for (let run = 0; run < RUNS; run++) {
      await recordedEquals('random', sizes[run % sizes.length]!, 1 + ((run * 7919) % 100_000));
    }
  });

  it('of a program that ends before the reader thread runs', async function () {
    this.timeout(120_000);
    const slow = path.join(sandbox.current.folder, 'dist');
    cpSync(dist, slow, { recursive: true });
    const reader = path.join(slow, 'ptyReaderWorker.cjs');
    const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);\n';
    writeFileSync(reader, sleep + readFileSync(reader, 'utf8'));
    const host = path.join(slow, 'host.cjs');
    const launched = await sandbox.current.launch(['/bin/echo', 'hello'], {}, host);
    await sandbox.current.settled();
    const { records } = await readRecording(launched.recording);
    assert.equal(outputOf(records).toString(), 'hello\r\n');
  });

  it('a flood that is piped to another program arrives there completely', async function () {
    this.timeout(120_000);
    const total = 20 * MIB;
    const { stdout, exitCode } = await sandbox.current.run(
      ...['agent', 'record', '--', process.execPath, emitter, 'random', String(total), '65536'],
    );
    assert.equal(exitCode, 0);
    assert.equal(stdout.length, total);
    assert.equal(createHash('sha256').update(stdout).digest('hex'), expectedHash('random', total));
  });
});

function expectedHash(pattern: Pattern, total: number): string {
  const hash = createHash('sha256');
  for (let offset = 0; offset < total; offset += MIB) {
    hash.update(patternBytes(pattern, offset, Math.min(MIB, total - offset)));
  }
  return hash.digest('hex');
}

async function recordedHash(file: string): Promise<string> {
  const source = await FileSource.open(file);
  const reader = await RecordingReader.open(source, brotliDecompressor);
  assert.equal(reader.problem, undefined);
  assert.equal(reader.isFinished, true);
  const hash = createHash('sha256');
  for await (const record of reader.records())
    if (record.kind === 'data') hash.update(record.bytes);
  await source.close();
  return hash.digest('hex');
}
