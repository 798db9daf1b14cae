import { endOfBlock, type BlockInfo } from '../../recording/format/blockInfo.ts';
import { encodeBlock } from '../../recording/format/format.ts';
import type {
  ByteSink,
  ByteSource,
  Compressor,
  Decompressor,
} from '../../recording/format/ports.ts';
import { decodeSegment } from '../../recording/format/segment.ts';
import { readSegment } from '../../recording/read/blockDecoder.ts';
import { scanBlocks } from '../../recording/read/scan.ts';
import { SegmentScrub } from './segmentScrub.ts';
import type { ScrubPlan } from './scrubPlan.ts';

export interface ScrubBlocksOptions {
  readonly source: ByteSource;
  readonly decompressor: Decompressor;
  /** The new file, which must be empty. It is synced at the end. */
  readonly sink: ByteSink;
  readonly compressor: Compressor;
  readonly quality: number;
  readonly signal: AbortSignal;
}

export interface ScrubbedBlocks {
  /** Whether the new file differs from the source. */
  readonly hasChanged: boolean;
  /** The start and length of each block that can't be read, and was copied as it is. */
  readonly unread: readonly BlockInfo[];
}

/**
 * Copies a recording without a text. Blocks and records stay the same; an incomplete end is left
 * out, since no reader shows it.
 */
export async function scrubBlocks(
  plan: ScrubPlan,
  text: string,
  { source, decompressor, sink, compressor, quality, signal }: ScrubBlocksOptions,
): Promise<ScrubbedBlocks> {
  const { blocks, problem } = await scanBlocks(source);
  const scrub = new SegmentScrub(plan, text);
  const unread: BlockInfo[] = [];
  let hasChanged = problem !== undefined;
  for (const block of blocks) {
    signal.throwIfAborted();
    const segment = await readSegment(source, decompressor, block);
    const isReadable = segment instanceof Uint8Array;
    if (!isReadable || decodeSegment(segment).records.length < block.recordCount)
      unread.push(block);
    if (isReadable && scrub.fill(segment)) {
      hasChanged = true;
      await sink.append(encodeBlock(block, await compressor.compress(segment, quality)));
    } else {
      const length = endOfBlock(block) - block.fileOffset;
      await sink.append(await source.read(block.fileOffset, length));
    }
  }
  await sink.sync();
  return { hasChanged, unread };
}
