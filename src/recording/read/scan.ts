import { endOfBlock, type BlockInfo } from '../format/blockInfo.ts';
import {
  decodeHeader,
  FLAG_LAST_BLOCK,
  HEADER_LENGTH,
  isMagicPrefix,
  MAX_BLOCKS,
  MAX_SEGMENT_LENGTH,
  MIN_RECORD_LENGTH,
  REFERENCE_HEADER_LENGTH,
  type BlockHeader,
  type HeaderFault,
} from '../format/format.ts';
import type { ByteSource } from '../format/ports.ts';
import type { ProblemKind, RecordingProblem } from '../format/problem.ts';
import { WindowedSource } from './windowedSource.ts';

export interface ScanResult {
  readonly blocks: BlockInfo[];
  /** End of the last complete block. */
  readonly goodLength: number;
  /** Why the scan stopped before the end of the file. */
  readonly problem?: RecordingProblem;
}

export interface ScanOptions {
  /** The block to start at; 0 by default. */
  readonly fromOffset?: number;
  /** Number of records before `fromOffset`. */
  readonly firstRecordIndex?: number;
  readonly signal?: AbortSignal;
}

/** Lists the blocks of a recording; reads only their headers. Reports damage as `problem`. */
export async function scanBlocks(
  source: ByteSource,
  options: ScanOptions = {},
): Promise<ScanResult> {
  const window = new WindowedSource(source, await source.size());
  const blocks: BlockInfo[] = [];
  let goodLength = options.fromOffset ?? 0;
  let recordIndex = options.firstRecordIndex ?? 0;
  while (goodLength < window.size) {
    options.signal?.throwIfAborted();
    const block = await readHeader(window, goodLength, recordIndex);
    if ('kind' in block) return { blocks, goodLength, problem: block };
    // Only the long form of hostile.test.ts covers this: two million blocks take seconds.
    if (blocks.length === MAX_BLOCKS) {
      const message = `The recording has more than ${MAX_BLOCKS} blocks; the rest is left out.`;
      return {
        blocks,
        goodLength,
        problem: { kind: 'tooManyBlocks', fileOffset: goodLength, message },
      };
    }
    blocks.push(block);
    goodLength = endOfBlock(block);
    recordIndex += block.recordCount;
  }
  return { blocks, goodLength };
}

async function readHeader(
  window: WindowedSource,
  fileOffset: number,
  firstRecordIndex: number,
): Promise<BlockInfo | RecordingProblem> {
  const problem = (kind: ProblemKind, what: string): RecordingProblem => {
    const good = `The first ${fileOffset} of ${window.size} bytes are intact`;
    return { kind, fileOffset, message: `${good}; ${what}.` };
  };
  const header = decodeHeader(await window.read(fileOffset, HEADER_LENGTH));
  if (typeof header === 'string') return problem(...explanations[header]);
  if (header.startByteOffset > BigInt(Number.MAX_SAFE_INTEGER)) {
    return problem('badLengths', 'the block after them claims an impossible byte offset');
  }
  const headerLength = await realHeaderLength(window, fileOffset, header);
  const payloadOffset = fileOffset + headerLength;
  const missing = payloadOffset + header.compressedLength - window.size;
  if (missing > 0) {
    return problem('truncated', `the block after them lacks ${missing} bytes`);
  }
  return {
    fileOffset,
    headerLength,
    payloadOffset,
    compressedLength: header.compressedLength,
    uncompressedLength: header.uncompressedLength,
    recordCount: possibleRecords(header),
    firstRecordIndex,
    startByteOffset: Number(header.startByteOffset),
    startTsNs: header.startTsNs,
    isLast: (header.flags & FLAG_LAST_BLOCK) !== 0,
  };
}

/**
 * The number of records in a header, but at most one more than the block has room for, which
 * reading the block reports: readers use memory for each of them.
 */
export function possibleRecords({ recordCount, uncompressedLength }: BlockHeader): number {
  const length = Math.min(uncompressedLength, MAX_SEGMENT_LENGTH);
  return Math.min(recordCount, Math.floor(length / MIN_RECORD_LENGTH) + 1);
}

const explanations: Record<HeaderFault, [ProblemKind, string]> = {
  short: ['truncated', 'the file ends inside the header of the next block'],
  badMagic: ['badMagic', 'what follows them is not a block'],
  badVersion: ['badVersion', 'the block after them has a version that this program does not know'],
  badLengths: ['badLengths', 'the block after them claims a header below the minimum length'],
};

/**
 * The reference implementation declares 48 bytes, but writes 44. The correct length is the one with
 * which the payload ends where the next block starts or the file ends. The file may also end inside
 * the next block's magic number.
 */
async function realHeaderLength(
  window: WindowedSource,
  fileOffset: number,
  header: BlockHeader,
): Promise<number> {
  if (header.headerLength !== REFERENCE_HEADER_LENGTH) return header.headerLength;
  const fits = async (headerLength: number): Promise<boolean> => {
    const end = fileOffset + headerLength + header.compressedLength;
    return end <= window.size && isMagicPrefix(await window.read(end, 4));
  };
  if (await fits(HEADER_LENGTH)) return HEADER_LENGTH;
  return (await fits(REFERENCE_HEADER_LENGTH)) ? REFERENCE_HEADER_LENGTH : HEADER_LENGTH;
}
