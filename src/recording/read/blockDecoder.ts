import { messageOf } from '../../base/errors.ts';
import type { BlockInfo } from '../format/blockInfo.ts';
import { MAX_PAYLOAD_LENGTH, MAX_SEGMENT_LENGTH, MIN_RECORD_LENGTH } from '../format/format.ts';
import type { ByteSource, Decompressor } from '../format/ports.ts';
import type { ProblemKind, RecordingProblem } from '../format/problem.ts';
import type { AhrRecord } from '../format/records.ts';
import { decodeSegment } from '../format/segment.ts';

export interface DecodedBlock {
  readonly block: BlockInfo;
  /**
   * All records, or those before the problem. Their bytes share a buffer, so copy what you keep for
   * a long time.
   */
  readonly records: readonly AhrRecord[];
  readonly problem?: RecordingProblem;
  /** Whether any padding byte is not zero: harmless, but another program wrote the file. */
  readonly hasPadding: boolean;
}

/** Reads the segment of a block, or returns the problem. Doesn't trust the header. */
export async function readSegment(
  source: ByteSource,
  decompressor: Decompressor,
  block: BlockInfo,
): Promise<Uint8Array | RecordingProblem> {
  if (
    block.uncompressedLength > MAX_SEGMENT_LENGTH ||
    block.compressedLength > MAX_PAYLOAD_LENGTH
  ) {
    return problemOf(block, 'badLengths', 'claims to be larger than the maximum');
  }
  if (block.recordCount * MIN_RECORD_LENGTH > block.uncompressedLength) {
    return problemOf(block, 'badLengths', 'claims more records than fit into it');
  }
  const payload = await source.read(block.payloadOffset, block.compressedLength);
  if (payload.length < block.compressedLength) {
    return problemOf(block, 'truncated', 'is incomplete: the file became shorter');
  }
  try {
    const segment = await decompressor.decompress(payload, block.uncompressedLength);
    if (segment.length === block.uncompressedLength) return segment;
    const message = `expands to ${segment.length} bytes instead of ${block.uncompressedLength}`;
    return problemOf(block, 'badBlock', message);
  } catch (error) {
    return problemOf(block, 'badBlock', `cannot be decompressed (${messageOf(error)})`);
  }
}

export async function decodeBlock(
  source: ByteSource,
  decompressor: Decompressor,
  block: BlockInfo,
): Promise<DecodedBlock> {
  const segment = await readSegment(source, decompressor, block);
  if (!(segment instanceof Uint8Array)) {
    return { block, records: [], problem: segment, hasPadding: false };
  }
  const { records, fault, hasPadding } = decodeSegment(segment);
  const decoded = { block, records, hasPadding };
  if (fault !== undefined) {
    return { ...decoded, problem: problemOf(block, 'badRecord', `is damaged: ${fault}`) };
  }
  if (records.length !== block.recordCount) {
    const message = `holds ${records.length} records instead of ${block.recordCount}`;
    return { ...decoded, problem: problemOf(block, 'badRecord', message) };
  }
  return decoded;
}

function problemOf(block: BlockInfo, kind: ProblemKind, what: string): RecordingProblem {
  const message = `The block at byte ${block.fileOffset} ${what}.`;
  return { kind, fileOffset: block.fileOffset, message };
}
