import type { BlockInfo } from '../format/blockInfo.ts';

/**
 * A seek decodes one block, a few milliseconds at this length; half of it would make the recordings of real agents 5 %
 * larger, and twice it gains nothing on them.
 */
const SEGMENT_BYTES = 1024 * 1024;

/** Blocks from this length on lose little by standing alone: together they would be at most four times as long. */
const FULL_BYTES = SEGMENT_BYTES / 4;

/** Smaller by a tenth than quality 6 and thirty times slower, about 4 MB/s: for what an agent prints in hours. */
const SMALL_QUALITY = 10;
const LARGE_QUALITY = 6;

/** What quality 10 may be spent on: a few seconds of one core, once per session. */
const MAX_SMALL_BYTES = 16 * 1024 * 1024;

export interface RepackPlan {
  /** Brotli quality for the blocks that are packed anew. */
  readonly quality: number;
  /** Longest segment to pack. */
  readonly segmentBytes: number;
  /** Blocks whose segment is at least so long are copied as they are. */
  readonly copyFromBytes: number;
}

/**
 * Chooses what repacking costs. Where everything is little, everything is packed at high quality; otherwise full blocks,
 * the traces of a flood of output, are copied, so that it costs nothing, and the small ones decide the quality.
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

/** Neighbouring blocks that become one, or a block that is copied. */
export interface BlockGroup {
  readonly blocks: readonly BlockInfo[];
  readonly isToCopy: boolean;
}

/** Divides the blocks of a recording, in order. Blocks without records go, unless there are no others. */
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
