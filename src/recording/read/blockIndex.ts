import { countWhile } from '../../base/binarySearch.ts';
import type { BlockInfo } from '../format/blockInfo.ts';

// Each function returns the index of the last block that starts at or before a place; -1 if there
// is none.

export function findBlockByByteOffset(blocks: readonly BlockInfo[], byteOffset: number): number {
  return countWhile(blocks, (block) => block.startByteOffset <= byteOffset) - 1;
}

export function findBlockByTime(blocks: readonly BlockInfo[], tsNs: bigint): number {
  return countWhile(blocks, (block) => block.startTsNs <= tsNs) - 1;
}

export function findBlockByRecord(blocks: readonly BlockInfo[], recordIndex: number): number {
  return countWhile(blocks, (block) => block.firstRecordIndex <= recordIndex) - 1;
}
