import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteWriter } from '../../../../src/base/bytes.ts';
import { encodeBlock, MAX_PAYLOAD_LENGTH } from '../../../../src/recording/format/format.ts';
import type { Compressor } from '../../../../src/recording/format/ports.ts';
import { repack, type RepackOptions } from '../../../../src/recording/write/repack.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { planRepack } from '../../../../src/recording/write/repackPlan.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import { encodeRecord } from '../../../../src/recording/format/segment.ts';
import { validateRecording } from '../../../../src/recording/read/validator.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import {
  arbitraryRecords,
  oneOfEach,
  output,
  plain,
  readAll,
  write,
} from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

async function repacked(source: MemoryFile, options: Partial<RepackOptions> = {}) {
  const sink = new MemoryFile();
  const ports = { source, sink, compressor: syncBrotli, decompressor: syncBrotli };
  const result = await repack({ ...ports, ...options });
  return { file: sink, result };
}

function segmentsOf(file: MemoryFile): Promise<number[]> {
  return scanBlocks(file).then(({ blocks }) => blocks.map((block) => block.uncompressedLength));
}

describe('repack', () => {
  it('keeps every record unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryRecords,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3000 }),
        async (records, flushEvery, segmentBytes) => {
          const source = await write(records, flushEvery);
          const { file } = await repacked(source, { plan: { segmentBytes, quality: 5 } });
          assert.deepEqual(await readAll(file), plain(records));
          const [before, after] = [source, file].map((each) => validateRecording(each, syncBrotli));
          assert.equal((await after)?.ok, (await before)?.ok);
          assert.equal((await after)?.isFinished, true);
        },
      ),
    );
  });

  it('joins small blocks, which makes the file smaller', async () => {
    const source = await write(output(100_000, 50), 1);
    const { file, result } = await repacked(source, { plan: { segmentBytes: 20_000 } });
    const segments = await segmentsOf(file);
    assert.equal(segments.length, 8);
    for (const length of segments.slice(0, -1)) assert.ok(length > 19_900 && length <= 20_000);
    assert.deepEqual(result, { blocks: 8, copiedBlocks: 0, bytes: file.bytes.length });
    assert.ok(file.bytes.length * 5 < source.bytes.length);
    assert.equal(file.syncedLength, file.bytes.length);
  });

  it('moves the flag of an empty last block to the last block', async () => {
    const { file } = await repacked(await write(oneOfEach(), 1));
    const { blocks } = await scanBlocks(file);
    assert.deepEqual(
      blocks.map((block) => [block.recordCount, block.isLast]),
      [[6, true]],
    );
  });

  it('does not mark an unfinished recording as finished', async () => {
    const source = await write(oneOfEach(), 1);
    const last = (await scanBlocks(source)).blocks.at(-1);
    source.bytes = source.bytes.slice(0, (last?.fileOffset ?? 0) + 20);
    const { file, result } = await repacked(source);
    assert.equal(result.problem?.kind, 'truncated');
    assert.deepEqual(await readAll(file), plain(oneOfEach()));
    assert.equal((await validateRecording(file, syncBrotli)).isFinished, false);
  });

  it('keeps the last block of an empty recording', async () => {
    const source = await write([]);
    const { file } = await repacked(source);
    assert.deepEqual(file.bytes, Buffer.from(source.bytes));
    const empty = await repacked(new MemoryFile());
    assert.equal(empty.file.bytes.length, 0);
  });

  it('copies full blocks without compressing them', async () => {
    const records = output(100_000, 1000);
    const source = await write(records, Infinity, { maxSegmentBytes: 10_300 });
    const { blocks } = await scanBlocks(source);
    const refused: Compressor = { compress: () => Promise.reject(new Error('not needed')) };
    const plan = { copyFromBytes: 10_000 };
    const { file, result } = await repacked(source, { plan, compressor: refused });
    assert.equal(result.copiedBlocks, 10);
    assert.deepEqual(await readAll(file), plain(records));
    const end = blocks[9]?.payloadOffset ?? 0;
    assert.deepEqual(file.bytes.slice(44, end - 44), Buffer.from(source.bytes.slice(44, end - 44)));
  });

  it('packs full blocks again if a minimum quality is given', async () => {
    const records = output(600_000, 300_000);
    const source = await write(records, 1, { quality: 0 });
    const { file, result } = await repacked(source, {
      minQuality: 11,
      plan: { segmentBytes: 1e6 },
    });
    assert.equal(result.copiedBlocks, 0);
    assert.ok(file.bytes.length < source.bytes.length);
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('copies full blocks between small ones in their order', async () => {
    const lengths = [10, 20, 900, 30, 800, 800, 40, 50, 60, 900];
    let startByteOffset = 0;
    const records = lengths.map((length, index): AhrRecord => {
      const bytes = new Uint8Array(length).fill(index);
      startByteOffset += length;
      return { kind: 'data', tsNs: 1n, startByteOffset: startByteOffset - length, bytes };
    });
    const plan = { copyFromBytes: 800, segmentBytes: 2000, quality: 4 };
    const { file, result } = await repacked(await write(records, 1), { plan });
    assert.deepEqual(await readAll(file), plain(records));
    const { blocks } = await scanBlocks(file);
    assert.deepEqual(
      blocks.map((block) => block.recordCount),
      [2, 1, 1, 1, 1, 3, 1],
    );
    assert.equal(result.copiedBlocks, 4);
  });

  it('does not pass a wrong count of records on to the good blocks beside it', async () => {
    const source = await write(output(100, 10), 5);
    new DataView(source.bytes.buffer, source.bytes.byteOffset).setUint32(32, 4, true);
    const { file } = await repacked(source);
    const problems = (await validateRecording(file, syncBrotli)).problems;
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['The block at byte 0 holds 5 records instead of 4.'],
    );
  });

  it('copies an unreadable block unchanged', async () => {
    const records = output(1000, 10);
    const source = await write(records, 10);
    const bad = (await scanBlocks(source)).blocks[4];
    assert.ok(bad);
    source.bytes.fill(0xff, bad.payloadOffset, bad.payloadOffset + bad.compressedLength);
    const { file, result } = await repacked(source);
    assert.equal(result.copiedBlocks, 10);
    assert.deepEqual(await readAll(file), await readAll(source));
    const report = await validateRecording(file, syncBrotli);
    assert.deepEqual([report.problems.length, report.isFinished], [1, true]);
  });

  it('compresses two at a time', async () => {
    let running = 0;
    let most = 0;
    const compressor: Compressor = {
      async compress(bytes, quality) {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return syncBrotli.compress(bytes, quality);
      },
    };
    const records = output(10_000, 10);
    const source = await write(records, 1);
    const { file } = await repacked(source, { compressor, plan: { segmentBytes: 1000 } });
    assert.equal(most, 2);
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('fails if a port fails, and leaves nothing running', async () => {
    const source = await write(output(10_000, 10), 1);
    const compressor: Compressor = { compress: () => Promise.reject(new Error('no memory')) };
    const plan = { segmentBytes: 1000 };
    await assert.rejects(repacked(source, { compressor, plan }), /no memory/);
    const sink = new MemoryFile();
    sink.failAppend = () => 0;
    await assert.rejects(repacked(source, { sink, plan }), /no space/);
  });

  it('reports its progress, and can be aborted', async () => {
    const source = await write(output(10_000, 10), 1);
    const controller = new AbortController();
    const seen: number[] = [];
    const onProgress = (done: number, total: number): void => {
      seen.push(done);
      if (seen.length === 3) controller.abort();
      assert.ok(done <= total);
    };
    const plan = { segmentBytes: 1000 };
    await assert.rejects(repacked(source, { plan, onProgress, signal: controller.signal }), {
      name: 'AbortError',
    });
    assert.equal(seen.length, 3);
  });
});

describe('repack of odd recordings', () => {
  it('reports the end of each group as progress', async () => {
    const source = await write(output(100, 10), 1);
    const { blocks } = await scanBlocks(source);
    const seen: [number, number][] = [];
    const onProgress = (done: number, total: number): number => seen.push([done, total]);
    // Each block has a segment of 34 bytes: two make a group.
    await repacked(source, { plan: { segmentBytes: 70 }, onProgress });
    const ends = [1, 3, 5, 7, 9].map((index) => {
      const { payloadOffset = 0, compressedLength = 0 } = blocks[index] ?? {};
      return payloadOffset + compressedLength;
    });
    assert.deepEqual(
      seen,
      ends.map((end) => [end, source.bytes.length]),
    );
  });

  it('packs at the quality asked for, unless the plan has a better one', async () => {
    const qualitiesOf = async (options: Partial<RepackOptions>): Promise<number[]> => {
      const qualities: number[] = [];
      const compressor: Compressor = {
        compress(bytes, quality) {
          qualities.push(quality);
          return syncBrotli.compress(bytes, quality);
        },
      };
      await repacked(await write(oneOfEach(), 1), { ...options, compressor });
      return qualities;
    };
    assert.deepEqual(await qualitiesOf({}), [10]);
    assert.deepEqual(await qualitiesOf({ minQuality: 5 }), [10]);
    assert.deepEqual(await qualitiesOf({ minQuality: 11 }), [11]);
    assert.deepEqual(await qualitiesOf({ minQuality: 11, plan: { quality: 2 } }), [2]);
  });

  it('copies only the flag of the last block with a group that cannot be read', async () => {
    const source = await write(output(100, 10), 5);
    source.bytes.fill(0xff, 44, 60);
    const { file, result } = await repacked(source);
    assert.deepEqual(
      (await scanBlocks(file)).blocks.map((block) => [block.recordCount, block.isLast]),
      [
        [5, false],
        [5, true],
      ],
    );
    assert.deepEqual(result, { blocks: 2, copiedBlocks: 2, bytes: file.bytes.length });
  });

  it('copies a block with a damaged record unchanged', async () => {
    const segment = new ByteWriter();
    for (const record of oneOfEach()) encodeRecord(segment, record);
    const bytes = segment.toBytes();
    bytes[16] = 9;
    const facts = { startTsNs: 0n, startByteOffset: 0, recordCount: 1, isLast: true };
    const payload = await syncBrotli.compress(bytes, 4);
    const block = encodeBlock({ ...facts, uncompressedLength: bytes.length }, payload);
    const { file, result } = await repacked(new MemoryFile(block));
    assert.equal(result.copiedBlocks, 1);
    assert.deepEqual(file.bytes, Buffer.from(block));
  });

  it('rejects a payload that is too large without reading it', async () => {
    const header = encodeBlock(
      { startTsNs: 0n, startByteOffset: 0, uncompressedLength: 100, recordCount: 1, isLast: false },
      new Uint8Array(0),
    );
    const ofPayload = async (length: number): Promise<unknown> => {
      new DataView(header.buffer).setUint32(28, length, true);
      const source = new MemoryFile(header);
      source.size = () => Promise.resolve(44 + length);
      return repacked(source, { plan: { copyFromBytes: 1 } });
    };
    await assert.rejects(ofPayload(MAX_PAYLOAD_LENGTH + 1), {
      name: 'UserError',
      code: 'recording-damaged',
      message: "Can't copy the block at byte 0: it is too large.",
    });
    await ofPayload(MAX_PAYLOAD_LENGTH);
  });
});

describe('planRepack', () => {
  const megabytes = async (count: number, chunk: number): Promise<number[]> => {
    const records = output(count * 1024 * 1024, chunk);
    const { blocks } = await scanBlocks(await write(records, 1, { quality: 0 }));
    const { quality, copyFromBytes } = planRepack(blocks);
    return [quality, copyFromBytes];
  };

  it('uses high quality for little output, and copies the full blocks of a flood', async () => {
    assert.deepEqual(await megabytes(2, 400 * 1024), [10, Infinity]);
    assert.deepEqual(await megabytes(20, 400 * 1024), [10, 256 * 1024]);
    assert.deepEqual(await megabytes(20, 100 * 1024), [6, 256 * 1024]);
  });
});
