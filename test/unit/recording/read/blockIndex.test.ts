import assert from 'node:assert/strict';
import {
  findBlockByByteOffset,
  findBlockByRecord,
  findBlockByTime,
} from '../../../../src/recording/read/blockIndex.ts';
import type { BlockInfo } from '../../../../src/recording/format/blockInfo.ts';

function block(firstRecordIndex: number, startByteOffset: number, startTsNs: bigint): BlockInfo {
  return {
    firstRecordIndex,
    startByteOffset,
    startTsNs,
    fileOffset: 0,
    headerLength: 44,
    payloadOffset: 44,
    compressedLength: 1,
    uncompressedLength: 1,
    recordCount: 1,
    isLast: false,
  };
}

// The second block has only a resize, so it ends at the byte where the third one starts.
const blocks = [block(0, 0, 10n), block(5, 100, 20n), block(6, 100, 30n), block(9, 250, 30n)];

describe('block index', () => {
  it('finds the block that holds a byte', () => {
    const found = [0, 99, 100, 249, 250, 1e9].map((at) => findBlockByByteOffset(blocks, at));
    assert.deepEqual(found, [0, 0, 2, 2, 3, 3]);
  });

  it('finds the block that was open at a time', () => {
    const found = [9n, 10n, 19n, 20n, 29n, 30n, 99n].map((at) => findBlockByTime(blocks, at));
    assert.deepEqual(found, [-1, 0, 0, 1, 1, 3, 3]);
  });

  it('finds the block of a record', () => {
    const found = [0, 4, 5, 6, 8, 9, 99].map((at) => findBlockByRecord(blocks, at));
    assert.deepEqual(found, [0, 0, 1, 2, 2, 3, 3]);
  });

  it('finds nothing without blocks', () => {
    assert.equal(findBlockByByteOffset([], 0), -1);
    assert.equal(findBlockByTime([], 0n), -1);
    assert.equal(findBlockByRecord([], 0), -1);
  });
});
