import { ByteWriter } from '../../base/bytes.ts';
import { UserError } from '../../base/errors.ts';
import { readSegment } from '../read/blockDecoder.ts';
import { endOfBlock, type BlockInfo } from '../format/blockInfo.ts';
import { encodeBlock, MAX_PAYLOAD_LENGTH } from '../format/format.ts';
import { mapAhead } from './mapAhead.ts';
import type { ByteSink, ByteSource, Compressor, Decompressor } from '../format/ports.ts';
import type { RecordingProblem } from '../format/problem.ts';
import { groupBlocks, planRepack, type BlockGroup, type RepackPlan } from './repackPlan.ts';
import { scanBlocks } from '../read/scan.ts';
import { decodeSegment } from '../format/segment.ts';

export interface RepackOptions {
  readonly source: ByteSource;
  readonly decompressor: Decompressor;
  /** The new file, which must be empty. Repacking syncs it at the end. */
  readonly sink: ByteSink;
  readonly compressor: Compressor;
  /** Overrides the choices of {@link planRepack}. */
  readonly plan?: Partial<RepackPlan>;
  /** Compresses all blocks again, even full ones, with at least this quality. */
  readonly minQuality?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

export interface RepackResult {
  readonly blocks: number;
  /** Blocks that were copied without compressing them again. */
  readonly copiedBlocks: number;
  /** Length of the new file. */
  readonly bytes: number;
  /**
   * Why the source could not be read to its end. The new file contains the readable part before.
   */
  readonly problem?: RecordingProblem;
}

/** As many as the writer compresses at a time. */
const PARALLEL_GROUPS = 2;

/**
 * Writes the same records in the same order into fewer, larger blocks. Does not split or merge
 * records. Copies unreadable blocks unchanged; omits an incomplete end.
 */
export async function repack(options: RepackOptions): Promise<RepackResult> {
  const { source, sink, signal, onProgress } = options;
  const { blocks, goodLength, problem } = await scanBlocks(source, options);
  const planned = planRepack(blocks);
  const { minQuality } = options;
  const plan = {
    ...planned,
    ...(minQuality !== undefined && {
      quality: Math.max(minQuality, planned.quality),
      copyFromBytes: Infinity,
    }),
    ...options.plan,
  };
  const groups = groupBlocks(blocks, plan);
  const finalGroup = blocks.at(-1)?.isLast === true ? groups.at(-1) : undefined;
  const result = { blocks: 0, copiedBlocks: 0, bytes: 0, ...(problem && { problem }) };
  const pack = (group: BlockGroup): Promise<PackedGroup> =>
    packGroup(group, group === finalGroup, plan.quality, options);
  for await (const { encoded, isCopied, endOffset } of mapAhead(groups, PARALLEL_GROUPS, pack)) {
    signal?.throwIfAborted();
    for (const bytes of encoded) {
      await sink.append(bytes);
      result.bytes += bytes.length;
    }
    result.blocks += encoded.length;
    result.copiedBlocks += isCopied ? encoded.length : 0;
    onProgress?.(endOffset, goodLength);
  }
  await sink.sync();
  return result;
}

interface PackedGroup {
  readonly encoded: readonly Uint8Array[];
  readonly isCopied: boolean;
  /** End of the group in the source. */
  readonly endOffset: number;
}

async function packGroup(
  group: BlockGroup,
  isLast: boolean,
  quality: number,
  options: RepackOptions,
): Promise<PackedGroup> {
  const { blocks } = group;
  const [first, final] = [blocks[0], blocks.at(-1)];
  const endOffset = final ? endOfBlock(final) : 0;
  const segment = group.isToCopy ? undefined : await joinSegments(blocks, options);
  if (!segment || !first) {
    const copies = blocks.map((block) =>
      copyBlock({ ...block, isLast: isLast && block === final }, options.source),
    );
    return { encoded: await Promise.all(copies), isCopied: true, endOffset };
  }
  const facts = {
    startTsNs: first.startTsNs,
    startByteOffset: first.startByteOffset,
    uncompressedLength: segment.length,
    recordCount: blocks.reduce((sum, block) => sum + block.recordCount, 0),
    isLast,
  };
  const payload = await options.compressor.compress(segment, quality);
  return { encoded: [encodeBlock(facts, payload)], isCopied: false, endOffset };
}

/** Joins the segments of blocks. @returns undefined if one can't be read */
async function joinSegments(
  blocks: readonly BlockInfo[],
  { source, decompressor }: RepackOptions,
): Promise<Uint8Array | undefined> {
  const joined = new ByteWriter();
  for (const block of blocks) {
    const segment = await readSegment(source, decompressor, block);
    if (!(segment instanceof Uint8Array)) return undefined;
    const { records, fault } = decodeSegment(segment);
    if (fault !== undefined || records.length !== block.recordCount) return undefined;
    joined.bytes(segment);
  }
  return joined.toBytes();
}

async function copyBlock(block: BlockInfo, source: ByteSource): Promise<Uint8Array> {
  if (block.compressedLength > MAX_PAYLOAD_LENGTH) {
    const message = `Can't copy the block at byte ${block.fileOffset}: it is too large.`;
    throw new UserError('recording-damaged', message);
  }
  return encodeBlock(block, await source.read(block.payloadOffset, block.compressedLength));
}
