import assert from 'node:assert/strict';
import type { BlockInfo } from '../../../../src/recording/format/blockInfo.ts';
import {
  groupBlocks,
  planRepack,
  type RepackPlan,
} from '../../../../src/recording/write/repackPlan.ts';

const MIB = 1024 * 1024;

function blocksOf(...lengths: number[]): BlockInfo[] {
  return lengths.map((uncompressedLength, index) => ({
    uncompressedLength,
    fileOffset: index * 100,
    firstRecordIndex: index,
    headerLength: 44,
    payloadOffset: index * 100 + 44,
    compressedLength: 56,
    recordCount: 1,
    startByteOffset: 0,
    startTsNs: 0n,
    isLast: false,
  }));
}

describe('planRepack', () => {
  it('packs everything of a small recording at high quality', () => {
    const small: RepackPlan = { quality: 10, segmentBytes: MIB, copyFromBytes: Infinity };
    assert.deepEqual(planRepack([]), small);
    assert.deepEqual(planRepack(blocksOf(4 * MIB, 4 * MIB)), small);
  });

  it('copies the full blocks of a larger one', () => {
    const plan: RepackPlan = { quality: 10, segmentBytes: MIB, copyFromBytes: MIB / 4 };
    assert.deepEqual(planRepack(blocksOf(4 * MIB, 4 * MIB, 1)), plan);
    assert.deepEqual(planRepack(blocksOf(...Array<number>(100).fill(MIB / 4))), plan);
  });

  it('chooses the quality by the length of the blocks to pack', () => {
    const almostFull = MIB / 4 - 1;
    const sixtyFour = Array<number>(64).fill(almostFull);
    // The total is 64 bytes less than 16 MiB, then exactly 16 MiB, then one byte more.
    assert.equal(planRepack(blocksOf(...sixtyFour)).quality, 10);
    assert.equal(planRepack(blocksOf(...sixtyFour, 64)).quality, 10);
    assert.equal(planRepack(blocksOf(...sixtyFour, 65)).quality, 6);
    assert.deepEqual(planRepack(blocksOf(...sixtyFour, 65)), {
      quality: 6,
      segmentBytes: MIB,
      copyFromBytes: MIB / 4,
    });
  });
});

describe('groupBlocks', () => {
  const plan: RepackPlan = { quality: 10, segmentBytes: 100, copyFromBytes: 80 };
  /** Lengths of the blocks of each group; a copied one as text. */
  const groupsOf = (...lengths: number[]): (number[] | string)[] =>
    groupBlocks(blocksOf(...lengths), plan).map(({ blocks, isToCopy }) => {
      const each = blocks.map((block) => block.uncompressedLength);
      return isToCopy ? `copy ${each.join(' ')}` : each;
    });

  it('joins neighbours up to the length of a segment', () => {
    assert.deepEqual(groupsOf(50, 50), [[50, 50]]);
    assert.deepEqual(groupsOf(50, 51), [[50], [51]]);
    assert.deepEqual(groupsOf(60, 30, 30, 70, 10), [[60, 30], [30, 70], [10]]);
  });

  it('copies full blocks, and joins nothing across them', () => {
    assert.deepEqual(groupsOf(10, 80, 20, 79), [[10], 'copy 80', [20, 79]]);
    assert.deepEqual(groupsOf(80, 500), ['copy 80', 'copy 500']);
    assert.deepEqual(groupsOf(60, 90, 60), [[60], 'copy 90', [60]]);
  });

  it('drops empty blocks, unless there are no others', () => {
    assert.deepEqual(groupsOf(10, 0, 20, 0), [[10, 20]]);
    assert.deepEqual(groupsOf(0, 0), ['copy 0']);
    assert.deepEqual(groupsOf(), []);
    const [only] = groupBlocks(blocksOf(0, 0), plan);
    assert.equal(only?.blocks[0]?.fileOffset, 100, 'the last one');
  });
});
