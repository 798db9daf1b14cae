import type { BlockInfo } from '../format/blockInfo.ts';

/** The block that holds the byte at `byteOffset` of the output, or would if the output went that far. */
export function findBlockByByteOffset(blocks: readonly BlockInfo[], byteOffset: number): number {
  return lastAtOrBefore(blocks, (block) => block.startByteOffset <= byteOffset);
}

/** The last block that began at or before a time; -1 before the first. */
export function findBlockByTime(blocks: readonly BlockInfo[], tsNs: bigint): number {
  return lastAtOrBefore(blocks, (block) => block.startTsNs <= tsNs);
}

/** The block that holds the record with this index, or would if there were so many. */
export function findBlockByRecord(blocks: readonly BlockInfo[], recordIndex: number): number {
  return lastAtOrBefore(blocks, (block) => block.firstRecordIndex <= recordIndex);
}

/** Index of the last block for which `isBefore` holds, given that it holds for a first part of them and no other; -1 for none. */
function lastAtOrBefore(
  blocks: readonly BlockInfo[],
  isBefore: (block: BlockInfo) => boolean,
): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const block = blocks[middle];
    if (block && isBefore(block)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
