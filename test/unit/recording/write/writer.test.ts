import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UserError } from '../../../../src/base/errors.ts';
import type { BlockInfo } from '../../../../src/recording/format/blockInfo.ts';
import type { Compressor } from '../../../../src/recording/format/ports.ts';
import { RecordingReader } from '../../../../src/recording/read/reader.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import { RecordingWriter, type WriterOptions } from '../../../../src/recording/write/writer.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock, settle } from '../../../support/fakeClock.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import {
  arbitraryRecords,
  oneOfEach,
  output,
  plain,
  readAll,
} from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

function setUp(options: Partial<WriterOptions> = {}) {
  const clock = new FakeClock();
  const file = new MemoryFile();
  const writer = new RecordingWriter({
    sink: file,
    compressor: syncBrotli,
    clock,
    quality: 4,
    ...options,
  });
  const blocks: BlockInfo[] = [];
  writer.onDidWriteBlock((block) => blocks.push(block));
  return { clock, file, writer, blocks };
}

const resize = { kind: 'resize', tsNs: 5n, cols: 80, rows: 24 } as const;

describe('RecordingWriter', () => {
  it('writes records that can be read back, with blocks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryRecords,
        fc.integer({ min: 1, max: 2000 }),
        async (records, max) => {
          const { file, writer } = setUp({ maxSegmentBytes: max });
          for (const record of records) writer.append(record);
          await writer.close();
          assert.deepEqual(await readAll(file), plain(records));
        },
      ),
    );
  });

  it('writes a block when its segment is full, and not before', async () => {
    const { file, writer, blocks } = setUp({ maxSegmentBytes: 1000 });
    const records = output(3000, 100);
    for (const record of records.slice(0, 8)) writer.append(record);
    await settle();
    assert.equal(file.appends, 0);
    for (const record of records.slice(8)) writer.append(record);
    await settle();
    assert.ok(blocks.length >= 3);
    for (const block of blocks) assert.ok(block.uncompressedLength <= 1124);
    await writer.close();
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('compresses the full blocks of a flood fast, and others well', async () => {
    const qualities: number[] = [];
    const compressor: Compressor = {
      compress(bytes, quality) {
        qualities.push(quality);
        return syncBrotli.compress(bytes, quality);
      },
    };
    const { file, writer } = setUp({ compressor, maxSegmentBytes: 100 });
    const records = output(1000, 100);
    for (const record of records) writer.append(record);
    await writer.close();
    assert.deepEqual(qualities, [...Array<number>(10).fill(1), 4]);
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('takes three quarters of a block for a flood, and compresses no better for it', async () => {
    const qualityOf = async (length: number, quality: number): Promise<number[]> => {
      const qualities: number[] = [];
      const compressor: Compressor = {
        compress(bytes, each) {
          qualities.push(each);
          return syncBrotli.compress(bytes, each);
        },
      };
      const { writer } = setUp({ compressor, quality, maxSegmentBytes: 100 });
      for (const record of output(length, length)) writer.append(record);
      await writer.flush();
      return qualities;
    };
    // A record of output takes 24 bytes more than its output.
    assert.deepEqual(await qualityOf(50, 4), [4]);
    assert.deepEqual(await qualityOf(51, 4), [1]);
    assert.deepEqual(await qualityOf(51, 0), [0]);
  });

  it('fills a block to its last byte', async () => {
    const { writer, blocks, file } = setUp({ maxSegmentBytes: 100 });
    const [first, second] = output(52, 26);
    assert.ok(first && second);
    writer.append(first);
    await settle();
    assert.equal(file.appends, 0);
    writer.append(second);
    await settle();
    assert.deepEqual(
      blocks.map(({ uncompressedLength }) => uncompressedLength),
      [100],
    );
  });

  it('writes blocks of 512 KiB by default', async () => {
    const full = 512 * 1024 - 24;
    for (const [length, appends] of [
      [full - 1, 0],
      [full, 1],
    ] as const) {
      const { file, writer } = setUp();
      for (const record of output(length, length)) writer.append(record);
      await settle();
      assert.equal(file.appends, appends, `${length} bytes`);
    }
  });

  it('does not write a record early after a flush without records', async () => {
    const { clock, file, writer } = setUp();
    await writer.flush();
    writer.append(resize);
    await clock.advance(199);
    assert.equal(file.appends, 0);
    await clock.advance(1);
    assert.equal(file.appends, 1);
  });

  it('does not write the records after a full block early', async () => {
    const { clock, file, writer } = setUp({ maxSegmentBytes: 100 });
    const [first, second, third] = output(180, 60);
    assert.ok(first && second && third);
    writer.append(first);
    await clock.advance(150);
    writer.append(second);
    await settle();
    assert.equal(file.appends, 1, 'the first is written, since the second does not fit');
    await clock.advance(199);
    assert.equal(file.appends, 1);
    await clock.advance(1);
    assert.equal(file.appends, 2);
  });

  it('puts a record larger than a block in a block of its own', async () => {
    const { file, writer, blocks } = setUp({ maxSegmentBytes: 1000 });
    writer.append(resize);
    for (const record of output(5000, 5000)) writer.append(record);
    await writer.close();
    assert.deepEqual(
      blocks.map(({ recordCount, startByteOffset }) => [recordCount, startByteOffset]),
      [
        [1, 0],
        [1, 0],
        [0, 5000],
      ],
    );
    assert.equal((await readAll(file)).length, 2);
  });

  it('writes no empty block before a first record larger than a block', async () => {
    const { writer, blocks } = setUp({ maxSegmentBytes: 1000 });
    for (const record of output(5000, 5000)) writer.append(record);
    await writer.close();
    assert.deepEqual(
      blocks.map(({ recordCount }) => recordCount),
      [1, 0],
    );
  });

  it('flags only the last block', async () => {
    const { clock, writer, blocks } = setUp({ maxSegmentBytes: 100 });
    const [atItsAge, full, tooLarge, flushed, last] = output(400, 80);
    assert.ok(atItsAge && full && tooLarge && flushed && last);
    writer.append(atItsAge);
    await clock.advance(200);
    writer.append(full);
    writer.append(resize);
    writer.append(tooLarge);
    writer.append(flushed);
    await writer.flush();
    writer.append(last);
    await writer.close();
    assert.deepEqual(
      blocks.map(({ isLast }) => isLast),
      [...Array<boolean>(blocks.length - 1).fill(false), true],
    );
  });

  it('writes a block when its time limit has passed since its first record', async () => {
    const { clock, file, writer } = setUp({ maxBlockAgeMs: 200 });
    const [first, second] = output(20, 10);
    assert.ok(first && second);
    writer.append(first);
    await clock.advance(150);
    writer.append(second);
    await clock.advance(49);
    assert.equal(file.appends, 0);
    await clock.advance(1);
    assert.equal(file.appends, 1);
    assert.equal((await readAll(file)).length, 2);
    await clock.advance(10_000);
    assert.equal(file.appends, 1, 'nothing to write, nothing written');
  });

  it('counts the time limit of the next block from its own first record', async () => {
    const { clock, file, writer } = setUp();
    const [first, second] = output(20, 10);
    assert.ok(first && second);
    writer.append(first);
    await clock.advance(1000);
    writer.append(second);
    await clock.advance(199);
    assert.equal(file.appends, 1);
    await clock.advance(1);
    assert.equal(file.appends, 2);
  });

  it('reports each block as a scan of the file finds it', async () => {
    const { file, writer, blocks } = setUp({ maxSegmentBytes: 300 });
    for (const record of [resize, ...output(2000, 70)]) writer.append(record);
    await writer.close();
    assert.deepEqual(blocks, (await scanBlocks(file)).blocks);
  });

  it('copies records, so that the caller may reuse its buffer', async () => {
    const { file, writer } = setUp();
    const bytes = Buffer.from('abc');
    writer.append({ kind: 'data', tsNs: 1n, startByteOffset: 0, bytes });
    bytes.fill('x');
    await writer.close();
    const [record] = await readAll(file);
    assert.ok(record?.kind === 'data');
    assert.equal(Buffer.from(record.bytes).toString(), 'abc');
  });

  it('counts what is accepted, and what is not yet in the file', async () => {
    const { file, writer } = setUp();
    writer.append(resize);
    assert.equal(writer.pendingBytes, 16);
    for (const record of output(30, 10)) writer.append(record);
    assert.deepEqual([writer.recordCount, writer.byteOffset], [4, 30]);
    assert.equal(writer.pendingBytes, 16 + 3 * 34);
    const gate = deferred();
    file.gate = gate.promise;
    const flushed = writer.flush();
    await settle();
    assert.equal(writer.pendingBytes, 16 + 3 * 34, 'compressed is not written');
    gate.resolve();
    await flushed;
    assert.equal(writer.pendingBytes, 0);
  });

  it('rejects a record that does not continue the earlier ones, and stays usable', async () => {
    const { file, writer } = setUp();
    const [first, second] = output(20, 10);
    assert.ok(first?.kind === 'data' && second);
    assert.throws(() => writer.append(second), /cannot follow 0 bytes/);
    writer.append(first);
    assert.throws(() => writer.append(first), /Output at 0 cannot follow 10 bytes/);
    const anchor = {
      kind: 'snapshot',
      tsNs: 1n,
      snapshotId: 1n,
      anchorByte: 11,
      label: '',
    } as const;
    assert.throws(() => writer.append(anchor), {
      name: 'RangeError',
      message: 'Anchor 11 is beyond 10 bytes.',
    });
    assert.deepEqual([writer.recordCount, writer.byteOffset], [1, 10]);
    assert.throws(() => writer.append({ ...resize, cols: 70_000 }), RangeError);
    writer.append({ ...anchor, anchorByte: 10 });
    writer.append(second);
    await writer.close();
    assert.deepEqual(await readAll(file), plain([first, { ...anchor, anchorByte: 10 }, second]));
  });
});

describe('RecordingWriter.flush', () => {
  it('returns when everything is written and synced', async () => {
    const { file, writer } = setUp();
    for (const record of oneOfEach()) writer.append(record);
    await writer.flush();
    assert.equal(file.syncedLength, file.bytes.length);
    assert.deepEqual(await readAll(file), plain(oneOfEach()));
  });

  it('writes nothing if there are no records', async () => {
    const { file, writer } = setUp();
    await writer.flush();
    assert.equal(file.bytes.length, 0);
  });

  it('needs no clock', async () => {
    const { writer } = setUp();
    writer.append(resize);
    await Promise.all([writer.flush(), writer.flush()]);
    assert.equal(writer.pendingBytes, 0);
  });
});

describe('RecordingWriter.close', () => {
  it('flags the last block, and leaves no timer behind', async () => {
    const { clock, file, writer, blocks } = setUp();
    for (const record of oneOfEach()) writer.append(record);
    await writer.close();
    assert.deepEqual(
      blocks.map((block) => block.isLast),
      [true],
    );
    assert.equal(file.syncedLength, file.bytes.length);
    assert.equal(clock.pendingTimers, 0);
  });

  it('writes an empty flagged block if all records are written', async () => {
    const { file, writer, blocks } = setUp();
    for (const record of oneOfEach()) writer.append(record);
    await writer.flush();
    await writer.close();
    const last = blocks[1];
    assert.ok(last?.isLast);
    assert.equal(last.recordCount, 0);
    assert.equal(last.startByteOffset, 18);
    assert.equal(last.startTsNs, oneOfEach().at(-1)?.tsNs);
    const reader = await RecordingReader.open(file, syncBrotli);
    assert.equal(reader.isFinished, true);
    assert.equal(reader.problem, undefined);
    assert.deepEqual((await reader.readBlock(1)).records, []);
  });

  it('finishes an empty recording', async () => {
    const { clock, writer, blocks } = setUp();
    await writer.close();
    assert.equal(blocks[0]?.startTsNs, clock.nowNs());
  });

  it('closes once, and accepts no later records', async () => {
    const { file, writer } = setUp();
    await Promise.all([writer.close(), writer.close()]);
    assert.equal(file.appends, 1);
    assert.throws(() => writer.append(resize), { message: 'The recording is closed.' });
  });

  it('leaves an error of a listener unhandled, so that it is noticed', async () => {
    const { writer } = setUp();
    const errors = [new Error('a mistake'), new UserError('other', 'a mistake')];
    const left = [...errors];
    writer.onDidWriteBlock(() => {
      const error = left.shift();
      if (error) throw error;
    });
    const usual = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const unhandled: unknown[] = [];
    process.on('unhandledRejection', (error) => unhandled.push(error));
    try {
      while (left.length > 0) {
        writer.append(resize);
        await writer.flush();
        await settle();
      }
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of usual) process.on('unhandledRejection', listener);
    }
    assert.deepEqual(unhandled, errors);
  });
});
