import { decodeBlock } from './blockDecoder.ts';
import type { BlockInfo } from '../format/blockInfo.ts';
import { decodeHeader, FLAG_LAST_BLOCK, HEADER_LENGTH } from '../format/format.ts';
import type { ByteSource, Decompressor } from '../format/ports.ts';
import type { ProblemKind, RecordingProblem } from '../format/problem.ts';
import { RecordOrder } from './recordOrder.ts';
import { scanBlocks } from './scan.ts';

export interface Finding extends RecordingProblem {
  /** Warnings violate rules that no reader depends on. */
  readonly severity: 'error' | 'warning';
}

export interface ValidationReport {
  /** Whether there are no errors; there may be warnings. */
  readonly ok: boolean;
  readonly blocks: number;
  readonly records: number;
  /** Bytes of program output. */
  readonly dataBytes: number;
  /** Length of the file before its first error. */
  readonly goodBytes: number;
  /** The first {@link MAX_FINDINGS} findings, in file order. */
  readonly problems: readonly Finding[];
  /** Number of findings that are not in `problems`. */
  readonly furtherProblems: number;
  /** Whether the recording has its last block. */
  readonly isFinished: boolean;
}

export interface ValidateOptions {
  readonly signal?: AbortSignal;
  /** Called after each block. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

/** More findings would only repeat the first ones, and a hostile file must not fill the memory. */
export const MAX_FINDINGS = 100;

/** Checks a recording against all rules of the format. Damage is returned, not thrown. */
export async function validateRecording(
  source: ByteSource,
  decompressor: Decompressor,
  options: ValidateOptions = {},
): Promise<ValidationReport> {
  const scan = await scanBlocks(source, options);
  const findings = new Findings();
  const order = new RecordOrder();
  let records = 0;
  for (const [index, block] of scan.blocks.entries()) {
    options.signal?.throwIfAborted();
    const add = (severity: Finding['severity'], kind: ProblemKind, what: string): void =>
      findings.add(severity, {
        kind,
        fileOffset: block.fileOffset,
        message: `The block at byte ${block.fileOffset} ${what}.`,
      });
    if (block.isLast && index < scan.blocks.length - 1) {
      add('error', 'badOrder', 'is marked as the last one, but others follow');
    }
    if (await hasReservedBits(source, block)) add('warning', 'badLengths', 'uses reserved bits');
    const decoded = await decodeBlock(source, decompressor, block);
    if (decoded.problem) findings.add('error', decoded.problem);
    if (decoded.hasPadding) add('warning', 'badRecord', 'has padding that is not zero');
    order.check(decoded, add);
    records += decoded.records.length;
    options.onProgress?.(block.payloadOffset + block.compressedLength, scan.goodLength);
  }
  if (scan.problem) findings.add('error', scan.problem);
  return {
    ...findings.summary(scan.goodLength),
    blocks: scan.blocks.length,
    records,
    dataBytes: order.byteOffset,
    isFinished: !scan.problem && scan.blocks.at(-1)?.isLast === true,
  };
}

async function hasReservedBits(source: ByteSource, block: BlockInfo): Promise<boolean> {
  const header = decodeHeader(await source.read(block.fileOffset, HEADER_LENGTH));
  if (typeof header === 'string') return false;
  return !header.isReservedZero || (header.flags & ~FLAG_LAST_BLOCK) !== 0;
}

class Findings {
  readonly #list: Finding[] = [];
  #count = 0;
  #firstError: number | undefined;

  add(severity: Finding['severity'], problem: RecordingProblem): void {
    if (severity === 'error') this.#firstError ??= problem.fileOffset;
    this.#count++;
    if (this.#list.length < MAX_FINDINGS) this.#list.push({ ...problem, severity });
  }

  summary(
    length: number,
  ): Pick<ValidationReport, 'ok' | 'goodBytes' | 'problems' | 'furtherProblems'> {
    return {
      ok: this.#firstError === undefined,
      goodBytes: this.#firstError ?? length,
      problems: this.#list,
      furtherProblems: this.#count - this.#list.length,
    };
  }
}
