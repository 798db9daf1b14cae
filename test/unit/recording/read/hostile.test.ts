import assert from 'node:assert/strict';
import { brotliCompressSync, constants } from 'node:zlib';
import { brotliDecompressor } from '../../../../src/platform/node/files/brotli.ts';
import { UserError } from '../../../../src/base/errors.ts';
import {
  encodeBlock,
  MAX_BLOCKS,
  MAX_SEGMENT_LENGTH,
} from '../../../../src/recording/format/format.ts';
import type { ByteSource, Decompressor } from '../../../../src/recording/format/ports.ts';
import { RecordingReader } from '../../../../src/recording/read/reader.ts';
import { repack } from '../../../../src/recording/write/repack.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import { validateRecording } from '../../../../src/recording/read/validator.ts';
import { settle } from '../../../support/fakeClock.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { Random } from '../../../support/random.ts';
import { oneOfEach, output, plain, write } from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';
import { isSoak } from '../../../support/soak.ts';
import { slowTest } from '../../../support/tiers.ts';

const MUTATIONS = isSoak ? 120_000 : 2000;

/** Interesting values for a field of up to four bytes. */
const HOSTILE_NUMBERS = [
  0, 1, 43, 44, 47, 48, 49, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
];

/** Damages the file like disks, networks and attackers do. @returns the first changed offset */
function mutate(original: Uint8Array, random: Random): { bytes: Buffer; changedFrom: number } {
  const at = random.below(original.length);
  const length = 1 + random.below(40);
  const bytes = Buffer.from(original);
  switch (random.below(7)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      return { bytes, changedFrom: at };
    case 1:
      bytes.fill(random.below(256), at, Math.min(at + length, bytes.length));
      return { bytes, changedFrom: at };
    case 2:
      return { bytes: bytes.subarray(0, at), changedFrom: at };
    case 3:
      return {
        bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
        changedFrom: at,
      };
    case 4: {
      const from = random.below(original.length);
      const inserted = bytes.subarray(from, from + length);
      return {
        bytes: Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]),
        changedFrom: at,
      };
    }
    case 5: {
      const place = Math.min(at, original.length - 4);
      bytes.writeUInt32LE(HOSTILE_NUMBERS[random.below(HOSTILE_NUMBERS.length)] ?? 0, place);
      return { bytes, changedFrom: place };
    }
    default: {
      const place = Math.min(at, original.length - 2);
      const value = HOSTILE_NUMBERS[random.below(9)] ?? 0;
      bytes.writeUInt16LE(value, place);
      return { bytes, changedFrom: place };
    }
  }
}

describe('hostile recordings', () => {
  it(`are read as far as they are intact: ${MUTATIONS} mutations`, async function () {
    this.timeout(MUTATIONS * 20);
    const all = [...oneOfEach(), ...output(4000, 90).map((r) => shift(r, 18))];
    const original = await write(all, 9);
    const { blocks } = await scanBlocks(original);
    let largest = 0;
    const watched: Decompressor = {
      decompress(bytes, maxLength) {
        largest = Math.max(largest, maxLength);
        return syncBrotli.decompress(bytes, maxLength);
      },
    };
    const random = new Random(20_260_101);
    const residentBefore = process.memoryUsage.rss();
    for (let round = 0; round < MUTATIONS; round++) {
      // Node frees buffers only between turns of the event loop.
      if (round % 50 === 0) await settle();
      const { bytes, changedFrom } = mutate(original.bytes, random);
      const reader = await RecordingReader.open(new MemoryFile(bytes), watched);
      assert.ok(reader.goodLength <= bytes.length);
      const untouched = blocks.filter((b) => b.payloadOffset + b.compressedLength <= changedFrom);
      for (const index of reader.blocks.keys()) {
        const { records } = await reader.readBlock(index);
        const block = untouched[index];
        if (!block) continue;
        const end = block.firstRecordIndex + block.recordCount;
        assert.deepEqual(
          plain(records),
          plain(all.slice(block.firstRecordIndex, end)),
          `round ${round}`,
        );
      }
      assert.ok(reader.blocks.length >= untouched.length, `round ${round}`);
      const report = await validateRecording(new MemoryFile(bytes), watched);
      const isSame = Buffer.compare(bytes, original.bytes) === 0;
      assert.ok(report.goodBytes >= (untouched.at(-1)?.fileOffset ?? 0));
      if (isSame) assert.ok(report.ok);
    }
    assert.ok(largest <= MAX_SEGMENT_LENGTH);
    const grownMiB = (process.memoryUsage.rss() - residentBefore) / 1024 / 1024;
    assert.ok(grownMiB < 300, `${grownMiB} MiB`);
  });

  it('are repacked without losing what can be read', async function () {
    this.timeout(MUTATIONS * 20);
    const original = await write(output(2000, 90), 4);
    const random = new Random(7);
    for (let round = 0; round < MUTATIONS / 20; round++) {
      if (round % 50 === 0) await settle();
      const source = new MemoryFile(mutate(original.bytes, random).bytes);
      const sink = new MemoryFile();
      const plan = { quality: 1 };
      const ports = { source, sink, compressor: syncBrotli, decompressor: syncBrotli };
      try {
        await repack({ ...ports, plan });
      } catch (error) {
        assert.ok(error instanceof UserError, `round ${round}: ${String(error)}`);
        continue;
      }
      const [before, after] = [source, sink].map((each) => validateRecording(each, syncBrotli));
      assert.equal((await after)?.records, (await before)?.records, `round ${round}`);
    }
  });

  it('cannot make a reader expand more than its limit', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(128 * 1024 * 1024), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3 },
    });
    assert.ok(bomb.length < 10_000);
    const facts = { startTsNs: 0n, startByteOffset: 0, recordCount: 1, isLast: false };
    const read = async (uncompressedLength: number): Promise<string | undefined> => {
      const file = new MemoryFile(encodeBlock({ ...facts, uncompressedLength }, bomb));
      const reader = await RecordingReader.open(file, brotliDecompressor);
      return (await reader.readBlock(0)).problem?.kind;
    };
    const before = process.memoryUsage.rss();
    assert.equal(await read(0xffffffff), 'badLengths');
    assert.equal(await read(128 * 1024 * 1024), 'badLengths');
    assert.equal(await read(MAX_SEGMENT_LENGTH), 'badBlock');
    assert.equal(await read(100), 'badBlock');
    const grownMiB = (process.memoryUsage.rss() - before) / 1024 / 1024;
    assert.ok(grownMiB < 64, `${grownMiB} MiB for a bomb of 128`);
  });

  slowTest('cannot make a reader list more blocks than its limit', async () => {
    const facts = { startTsNs: 0n, startByteOffset: 0, uncompressedLength: 0, recordCount: 0 };
    const header = encodeBlock({ ...facts, isLast: false }, new Uint8Array(0));
    const headers = Buffer.alloc(header.length * 2000, header);
    const size = header.length * (MAX_BLOCKS + 1);
    const source: ByteSource = {
      size: () => Promise.resolve(size),
      read: (offset, length) => {
        const start = offset % header.length;
        return Promise.resolve(headers.subarray(start, start + length));
      },
    };
    const { blocks, goodLength, problem } = await scanBlocks(source);
    assert.equal(blocks.length, MAX_BLOCKS);
    assert.equal(goodLength, header.length * MAX_BLOCKS);
    assert.deepEqual(problem, {
      kind: 'tooManyBlocks',
      fileOffset: goodLength,
      message: 'The recording has more than 2000000 blocks; the rest is left out.',
    });
  });

  it('cannot claim more records than bytes', async () => {
    const facts = { startTsNs: 0n, startByteOffset: 0, uncompressedLength: 100, isLast: false };
    const payload = brotliCompressSync(Buffer.alloc(100));
    const file = new MemoryFile(encodeBlock({ ...facts, recordCount: 0xffffffff }, payload));
    const reader = await RecordingReader.open(file, syncBrotli);
    const { problem, records } = await reader.readBlock(0);
    assert.deepEqual([problem?.kind, records.length], ['badLengths', 0]);
    assert.equal(reader.recordCount, 7, 'one more than 100 bytes have room for');
  });
});

function shift(record: ReturnType<typeof output>[number], bytes: number) {
  return record.kind === 'data'
    ? { ...record, startByteOffset: record.startByteOffset + bytes }
    : record;
}
