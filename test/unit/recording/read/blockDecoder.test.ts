import assert from 'node:assert/strict';
import { decodeBlock, readSegment } from '../../../../src/recording/read/blockDecoder.ts';
import { endOfBlock, type BlockInfo } from '../../../../src/recording/format/blockInfo.ts';
import { MAX_PAYLOAD_LENGTH, MAX_SEGMENT_LENGTH } from '../../../../src/recording/format/format.ts';
import type { ByteSource, Decompressor } from '../../../../src/recording/format/ports.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import type { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { oneOfEach, plain, write } from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

/** The only block with records, in a recording with one record of each kind. */
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
  it('rejects a block that claims too large lengths', async () => {
    const { block } = await setUp();
    const place = { ...block, fileOffset: 7 };
    const tooLarge = {
      kind: 'badLengths',
      fileOffset: 7,
      message: 'The block at byte 7 claims to be larger than the maximum.',
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

  it('rejects a block that claims more records than fit', async () => {
    const { block } = await setUp();
    const claim = { ...block, uncompressedLength: 160 };
    assert.deepEqual(await readSegment(unread, syncBrotli, { ...claim, recordCount: 11 }), {
      kind: 'badLengths',
      fileOffset: 0,
      message: 'The block at byte 0 claims more records than fit into it.',
    });
    await assert.rejects(readSegment(unread, syncBrotli, { ...claim, recordCount: 10 }), /be read/);
  });

  it('reports that the file became shorter', async () => {
    const { file, block } = await setUp();
    file.bytes = file.bytes.slice(0, endOfBlock(block) - 1);
    assert.deepEqual(await readSegment(file, syncBrotli, block), {
      kind: 'truncated',
      fileOffset: 0,
      message: 'The block at byte 0 is incomplete: the file became shorter.',
    });
  });

  it('reports a payload that contradicts the header', async () => {
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
  it('returns the records of a block without a problem', async () => {
    const { file, block } = await setUp();
    const { records, ...rest } = await decodeBlock(file, syncBrotli, block);
    assert.deepEqual(rest, { block, hasPadding: false });
    assert.deepEqual(plain(records), plain(oneOfEach()));
  });

  it('returns no records of an unreadable block', async () => {
    const { file, block } = await setUp();
    const decoded = await decodeBlock(file, expandsTo(new Uint8Array(3)), block);
    assert.deepEqual([decoded.records, decoded.hasPadding], [[], false]);
    assert.equal(decoded.problem?.kind, 'badBlock');
  });

  it('returns the records before a damaged one', async () => {
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

  it('returns all records even if the header has another count', async () => {
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
