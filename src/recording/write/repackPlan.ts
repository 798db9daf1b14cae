import type { BlockInfo } from '../format/blockInfo.ts';

/**
 * Longest new segment. A seek decodes one block, which takes a few milliseconds at this length.
 * Half the length makes recordings of real agents 5 % larger; twice the length does not make them
 * smaller.
 */
const SEGMENT_BYTES = 1024 * 1024;

/**
 * Blocks of at least this length count as full. Joining them gains little: the result is at most
 * four times as long.
 */
const FULL_BYTES = SEGMENT_BYTES / 4;

/**
 * Brotli quality for small recordings, up to hours of an agent's output. The result is a tenth
 * smaller than with quality 6, but takes thirty times as long: about 4 MB/s.
 */
const SMALL_QUALITY = 10;
const LARGE_QUALITY = 6;

/** With more bytes to pack, quality 10 would take more than a few seconds of one core. */
const MAX_SMALL_BYTES = 16 * 1024 * 1024;

export interface RepackPlan {
  /** Brotli quality of the blocks that are packed again. */
  readonly quality: number;
  /** Longest new segment. */
  readonly segmentBytes: number;
  /** Blocks with a segment of at least this length are copied unchanged. */
  readonly copyFromBytes: number;
}

/**
 * Chooses how much work to put into repacking. Packs small recordings completely with high quality.
 * In larger ones, copies full blocks, which a flood of output produced; the size of the other
 * blocks decides the quality.
 */
export function planRepack(blocks: readonly BlockInfo[]): RepackPlan {
  const isFull = (block: BlockInfo): boolean => block.uncompressedLength >= FULL_BYTES;
  const total = sumOfLengths(blocks);
  if (total <= MAX_SMALL_BYTES / 2) {
    return { quality: SMALL_QUALITY, segmentBytes: SEGMENT_BYTES, copyFromBytes: Infinity };
  }
  const toPack = sumOfLengths(blocks.filter((block) => !isFull(block)));
  return {
    quality: toPack <= MAX_SMALL_BYTES ? SMALL_QUALITY : LARGE_QUALITY,
    segmentBytes: SEGMENT_BYTES,
    copyFromBytes: FULL_BYTES,
  };
}

/** Neighbouring blocks to join, or one block to copy. */
export interface BlockGroup {
  readonly blocks: readonly BlockInfo[];
  readonly isToCopy: boolean;
}

/** Groups the blocks of a recording, in order. Omits empty blocks, unless there are no others. */
export function groupBlocks(blocks: readonly BlockInfo[], plan: RepackPlan): BlockGroup[] {
  const groups: BlockGroup[] = [];
  let open: BlockInfo[] = [];
  let openBytes = 0;
  const closeGroup = (): void => {
    if (open.length > 0) groups.push({ blocks: open, isToCopy: false });
    open = [];
    openBytes = 0;
  };
  for (const block of blocks) {
    if (block.uncompressedLength === 0) continue;
    if (block.uncompressedLength >= plan.copyFromBytes) {
      closeGroup();
      groups.push({ blocks: [block], isToCopy: true });
      continue;
    }
    if (openBytes + block.uncompressedLength > plan.segmentBytes) closeGroup();
    open.push(block);
    openBytes += block.uncompressedLength;
  }
  closeGroup();
  const end = blocks.at(-1);
  if (groups.length === 0 && end) groups.push({ blocks: [end], isToCopy: true });
  return groups;
}

function sumOfLengths(blocks: readonly BlockInfo[]): number {
  return blocks.reduce((sum, block) => sum + block.uncompressedLength, 0);
}
