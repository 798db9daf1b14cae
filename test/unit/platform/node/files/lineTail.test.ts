import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LineTail } from '../../../../../src/platform/node/files/lineTail.ts';
import { until } from '../../../../support/ah.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory in use after a garbage collection. */
function bytesInUse(): number {
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

describe('LineTail', () => {
  const folder = useTemporaryFolder();
  let file: string;
  let lines: string[];
  let restarts: number;
  let tail: LineTail;

  beforeEach(() => {
    file = path.join(folder.path, 'session.jsonl');
    lines = [];
    restarts = 0;
    tail = new LineTail(file, {
      onLine: (line) => lines.push(line),
      onRestart: () => restarts++,
    });
  });
  afterEach(() => tail.dispose());

  it('reports each line once and whole, however it is written', async () => {
    await writeFile(file, 'one\ntw');
    await tail.read();
    await tail.read();
    assert.deepEqual(lines, ['one']);
    await appendFile(file, 'o\n\nthree');
    await tail.read();
    assert.deepEqual(lines, ['one', 'two', '']);
    await tail.finish();
    assert.deepEqual(lines, ['one', 'two', '', 'three']);
    assert.equal(restarts, 0);
  });

  it('puts characters together that were written byte by byte', async () => {
    const text = 'ä🙂日本\r\n';
    for (const byte of Buffer.from(text)) {
      await appendFile(file, Buffer.from([byte]));
      await tail.read();
    }
    assert.deepEqual(lines, ['ä🙂日本']);
  });

  it('waits for a file whose folder does not exist yet, and reports new lines at once', async () => {
    file = path.join(folder.path, 'later', 'session.jsonl');
    const timers = new FakeClock();
    tail = new LineTail(file, { timers, onLine: (line) => lines.push(line) });
    tail.start();
    await until(() => timers.pendingTimers === 1, 'the first look');
    await mkdir(path.dirname(file));
    await writeFile(file, 'one\n');
    // The folder is watched from the next poll on.
    await timers.advanceUntil(() => lines.length === 1, 'the first line');
    await appendFile(file, 'two\n');
    // The clock of this test stands still, so only a notification can report the line, not a poll.
    await until(() => lines.length === 2, 'the second line');
  });

  it('begins again when the file is cut, replaced, or written anew', async () => {
    await writeFile(file, 'one\ntwo\n');
    await tail.read();
    await truncate(file, 4);
    await tail.read();
    assert.deepEqual(lines.splice(0), ['one', 'two', 'one']);

    await writeFile(`${file}.new`, 'three\nfour\nfive\n');
    await rename(`${file}.new`, file);
    await tail.read();
    assert.deepEqual(lines.splice(0), ['three', 'four', 'five']);

    // The new content is longer, so the file's size alone does not show that it was rewritten.
    await writeFile(file, 'a new beginning\nand more than before\n');
    await tail.read();
    assert.deepEqual(lines.splice(0), ['a new beginning', 'and more than before']);
    assert.equal(restarts, 3);
  });

  it('reads the end of the old file before the new one', async () => {
    await writeFile(file, 'one\n');
    await tail.read();
    await appendFile(file, 'two\n');
    await rename(file, `${file}.old`);
    await writeFile(file, 'three\n');
    await tail.read();
    assert.deepEqual(lines, ['one', 'two', 'three']);
  });

  it('continues when the file was deleted and created again', async () => {
    await writeFile(file, 'one\n');
    await tail.read();
    await rm(file);
    await tail.read();
    await writeFile(file, 'two\n');
    await tail.read();
    assert.deepEqual(lines, ['one', 'two']);
  });

  it('keeps up with a slow writer and many notifications', async () => {
    tail.start();
    const stream = createWriteStream(file);
    const expected: string[] = [];
    for (let nth = 0; nth < 200; nth++) {
      const line = `${nth} ${'ü'.repeat(nth)}`;
      expected.push(line);
      stream.write(line.slice(0, nth / 2));
      if (nth % 10 === 0) await sleep(1);
      stream.write(`${line.slice(nth / 2)}\n`);
    }
    stream.end();
    await until(() => lines.length === expected.length, 'all lines');
    assert.deepEqual(lines, expected);
  });

  it('reads 100 MB in bounded memory', async function () {
    this.timeout(60_000);
    const line = JSON.stringify({ type: 'x', text: 'y'.repeat(10_000) });
    const block = `${line}\n`.repeat(100);
    for (let nth = 0; nth < 100; nth++) await appendFile(file, block);
    let count = 0;
    let peak = 0;
    const before = bytesInUse();
    tail = new LineTail(file, {
      onLine: (text) => {
        assert.equal(text.length, line.length);
        if (++count % 500 === 0) peak = Math.max(peak, bytesInUse());
      },
    });
    await tail.read();
    assert.equal(count, 10_000);
    assert.ok(peak - before < 16 * 1024 * 1024, `${peak - before} bytes more`);
  });

  it('skips a line that is too long and continues after it', async function () {
    this.timeout(60_000);
    const piece = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let nth = 0; nth < 5; nth++) await appendFile(file, piece);
    await appendFile(file, '\nnext\n');
    await tail.read();
    assert.deepEqual(lines, ['next']);
  });

  it('reports once that the file cannot be read', async () => {
    await mkdir(file);
    const errors: unknown[] = [];
    tail = new LineTail(file, {
      onLine: () => {},
      onError: (error) => errors.push(error),
    });
    await tail.read();
    await tail.read();
    assert.equal(errors.length, 1);
  });

  it('uses almost no CPU while a hundred files do not change', async () => {
    const timers = new FakeClock();
    const tails = Array.from({ length: 100 }, (_, nth) => {
      const one = path.join(folder.path, `sleeping${nth}`, 'session.jsonl');
      return { one, tail: new LineTail(one, { timers, onLine: (line) => lines.push(line) }) };
    });
    for (const { one, tail: each } of tails) {
      await mkdir(path.dirname(one));
      await writeFile(one, 'one\n');
      each.start();
    }
    await until(() => lines.length === 100, 'all first lines');
    /** Lets each poll end, and with that set the timer of the next one, before time moves on. */
    const pass = async (ms: number) => {
      for (const endMs = timers.nowMs + ms; timers.nowMs < endMs;) {
        await timers.advance(100);
        await until(() => timers.pendingTimers === tails.length, 'the polls to end');
      }
    };
    await pass(1000);
    const before = process.cpuUsage();
    await pass(4000);
    const { user, system } = process.cpuUsage(before);
    const share = (user + system) / 4_000_000;
    for (const { tail: each } of tails) each.dispose();
    assert.ok(share < 0.1, `${(share * 100).toFixed(1)} % of a core`);
    if (process.env['AH_PRINT_FIGURES']) console.log(`${(share * 100).toFixed(2)} % of a core`);
  });
});
