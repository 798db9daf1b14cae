import assert from 'node:assert/strict';
import { decodeBlock, readSegment } from '../../../../src/recording/read/blockDecoder.ts';
import { endOfBlock, type BlockInfo } from '../../../../src/recording/format/blockInfo.ts';
import { MAX_PAYLOAD_LENGTH, MAX_SEGMENT_LENGTH } from '../../../../src/recording/format/format.ts';
import type { ByteSource, Decompressor } from '../../../../src/recording/format/ports.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import type { MemoryFile } from '../../../support/memoryFile.ts';
import { oneOfEach, plain, write } from '../../../support/recordings.ts';
import { syncBrotli } from '../../../support/syncBrotli.ts';

/** The only block with records of a recording that has one of each. */
async function setUp(): Promise<{ file: MemoryFile; block: BlockInfo }> {
  const file = await write(oneOfEach());
  const [block] = (await scanBlocks(file)).blocks;
  assert.ok(block);
  return { file, block };
}

const unread: ByteSource = {
  size: () => Promise.reject(new Error('not to be asked')),
  read: () => Promise.reject(new Error('not to be read')),
};

const expandsTo = (segment: Uint8Array): Decompressor => ({
  decompress: () => Promise.resolve(segment),
});

describe('readSegment', () => {
  it('refuses to read a block that claims more than any block may have', async () => {
    const { block } = await setUp();
    const place = { ...block, fileOffset: 7 };
    const tooLarge = {
      kind: 'badLengths',
      fileOffset: 7,
      message: 'The block at byte 7 claims to be larger than any block may be.',
    };
    for (const claim of [
      { uncompressedLength: MAX_SEGMENT_LENGTH + 1 },
      { compressedLength: MAX_PAYLOAD_LENGTH + 1 },
    ]) {
      assert.deepEqual(await readSegment(unread, syncBrotli, { ...place, ...claim }), tooLarge);
    }
    const atTheLimits = {
      uncompressedLength: MAX_SEGMENT_LENGTH,
      compressedLength: MAX_PAYLOAD_LENGTH,
    };
    await assert.rejects(readSegment(unread, syncBrotli, { ...block, ...atTheLimits }), /be read/);
  });

  it('refuses to read a block that claims more records than it has room for', async () => {
    const { block } = await setUp();
    const claim = { ...block, uncompressedLength: 160 };
    assert.deepEqual(await readSegment(unread, syncBrotli, { ...claim, recordCount: 11 }), {
      kind: 'badLengths',
      fileOffset: 0,
      message: 'The block at byte 0 claims more records than it has room for.',
    });
    await assert.rejects(readSegment(unread, syncBrotli, { ...claim, recordCount: 10 }), /be read/);
  });

  it('says that the file became shorter', async () => {
    const { file, block } = await setUp();
    file.bytes = file.bytes.slice(0, endOfBlock(block) - 1);
    assert.deepEqual(await readSegment(file, syncBrotli, block), {
      kind: 'truncated',
      fileOffset: 0,
      message: 'The block at byte 0 is no longer whole: the file became shorter.',
    });
  });

  it('says that the payload is not what the header promises', async () => {
    const { file, block } = await setUp();
    const decompressor = { decompress: () => Promise.reject(new Error('bad stream')) };
    assert.deepEqual(await readSegment(file, decompressor, block), {
      kind: 'badBlock',
      fileOffset: 0,
      message: 'The block at byte 0 cannot be decompressed (bad stream).',
    });
    assert.deepEqual(await readSegment(file, expandsTo(new Uint8Array(3)), block), {
      kind: 'badBlock',
      fileOffset: 0,
      message: `The block at byte 0 expands to 3 bytes instead of ${block.uncompressedLength}.`,
    });
  });
});

describe('decodeBlock', () => {
  it('gives the records of a block, and no problem', async () => {
    const { file, block } = await setUp();
    const { records, ...rest } = await decodeBlock(file, syncBrotli, block);
    assert.deepEqual(rest, { block, hasPadding: false });
    assert.deepEqual(plain(records), plain(oneOfEach()));
  });

  it('gives no records of a block that cannot be read', async () => {
    const { file, block } = await setUp();
    const decoded = await decodeBlock(file, expandsTo(new Uint8Array(3)), block);
    assert.deepEqual([decoded.records, decoded.hasPadding], [[], false]);
    assert.equal(decoded.problem?.kind, 'badBlock');
  });

  it('gives the records before the one that is damaged', async () => {
    const { file, block } = await setUp();
    const segment = await readSegment(file, syncBrotli, block);
    assert.ok(segment instanceof Uint8Array);
    const damaged = Uint8Array.from(segment);
    damaged[16] = 9;
    const { records, problem } = await decodeBlock(file, expandsTo(damaged), block);
    assert.deepEqual(plain(records), plain(oneOfEach().slice(0, 1)));
    assert.deepEqual(problem, {
      kind: 'badRecord',
      fileOffset: 0,
      message: 'The block at byte 0 is damaged: record 2, at byte 16, has the unknown tag 9.',
    });
  });

  it('gives the records though there are more or fewer than the header says', async () => {
    const { file, block } = await setUp();
    for (const recordCount of [5, 7]) {
      const { records, problem } = await decodeBlock(file, syncBrotli, { ...block, recordCount });
      assert.equal(records.length, 6);
      assert.deepEqual(problem, {
        kind: 'badRecord',
        fileOffset: 0,
        message: `The block at byte 0 holds 6 records instead of ${recordCount}.`,
      });
    }
  });
});
