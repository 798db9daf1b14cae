import { Sequencer } from '../../base/sequencer.ts';
import { decodeBlock, type DecodedBlock } from './blockDecoder.ts';
import type { BlockInfo } from '../format/blockInfo.ts';
import { findBlockByRecord } from './blockIndex.ts';
import { decodeHeader, HEADER_LENGTH, type BlockHeader } from '../format/format.ts';
import { LruCache } from './lruCache.ts';
import type { ByteSource, Decompressor } from '../format/ports.ts';
import type { RecordingProblem } from '../format/problem.ts';
import type { AhrRecord } from '../format/records.ts';
import { possibleRecords, scanBlocks, type ScanResult } from './scan.ts';

/** Enough to step back and forth around a moment; at most 8 × 16 MiB for a hostile file. */
const CACHED_BLOCKS = 8;

export interface RecordRange {
  /** Index of the first record; 0 by default. */
  readonly from?: number;
  /** Index after the last record; by default, the range extends to the end. */
  readonly to?: number;
  /** Doesn't read blocks ahead: for callers that stop after a few records. */
  readonly isShort?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Result of {@link RecordingReader.refresh}. After `replaced`, all earlier blocks and indexes are
 * invalid.
 */
export type RefreshResult = 'unchanged' | 'grown' | 'replaced';

/**
 * Reads a recording, which may still grow. Returns damage as problems together with the readable
 * part.
 */
export class RecordingReader {
  readonly #source: ByteSource;
  readonly #decompressor: Decompressor;
  readonly #cache = new LruCache<number, Promise<DecodedBlock>>(CACHED_BLOCKS);
  readonly #refreshes = new Sequencer();
  #scan: ScanResult;

  private constructor(source: ByteSource, decompressor: Decompressor, scan: ScanResult) {
    this.#source = source;
    this.#decompressor = decompressor;
    this.#scan = scan;
  }

  static async open(source: ByteSource, decompressor: Decompressor): Promise<RecordingReader> {
    return new RecordingReader(source, decompressor, await scanBlocks(source));
  }

  /** {@link refresh} adds new blocks to this array. After `replaced`, it is a new array. */
  get blocks(): readonly BlockInfo[] {
    return this.#scan.blocks;
  }

  /** Why the end of the file can't be read. A growing file may be `truncated` for a moment. */
  get problem(): RecordingProblem | undefined {
    return this.#scan.problem;
  }

  /** Length of the complete blocks in the file. */
  get goodLength(): number {
    return this.#scan.goodLength;
  }

  /** Number of records according to the headers. */
  get recordCount(): number {
    const last = this.blocks.at(-1);
    return last ? last.firstRecordIndex + last.recordCount : 0;
  }

  /** Whether the recording has its last block. */
  get isFinished(): boolean {
    return this.blocks.at(-1)?.isLast === true;
  }

  /** Finds new blocks, and notices if the file was replaced. */
  refresh(): Promise<RefreshResult> {
    return this.#refreshes.queue(async () => {
      const result = await this.#extend();
      if (result !== 'replaced') return result;
      this.#cache.clear();
      this.#scan = await scanBlocks(this.#source);
      return result;
    });
  }

  /**
   * Finds new blocks; safe during other reads. After `replaced`, {@link blocks} are still those of
   * the old file.
   */
  extend(): Promise<RefreshResult> {
    return this.#refreshes.queue(() => this.#extend());
  }

  async #extend(): Promise<RefreshResult> {
    if (!(await this.#isSameFile())) return 'replaced';
    const { blocks, goodLength } = this.#scan;
    const firstRecordIndex = this.recordCount;
    const added = await scanBlocks(this.#source, { fromOffset: goodLength, firstRecordIndex });
    for (const block of added.blocks) blocks.push(block);
    this.#scan = { ...added, blocks };
    return added.blocks.length > 0 ? 'grown' : 'unchanged';
  }

  /**
   * Complete blocks never change: if the headers of the first and the last known block are
   * unchanged, it counts as the same file.
   */
  async #isSameFile(): Promise<boolean> {
    if ((await this.#source.size()) < this.goodLength) return false;
    for (const block of [this.blocks[0], this.blocks.at(-1)]) {
      if (!block) continue;
      const header = decodeHeader(await this.#source.read(block.fileOffset, HEADER_LENGTH));
      if (typeof header === 'string' || !isHeaderOf(block, header)) return false;
    }
    return true;
  }

  /** @param index of the block in {@link blocks} */
  readBlock(index: number): Promise<DecodedBlock> {
    const block = this.blocks[index];
    if (!block) throw new RangeError(`Block ${index} does not exist.`);
    const cached = this.#cache.get(index);
    if (cached) return cached;
    const decoded = decodeBlock(this.#source, this.#decompressor, block);
    this.#cache.set(index, decoded);
    // A failed block is not cached, so the next read tries again.
    decoded.catch(() => this.#cache.delete(index));
    return decoded;
  }

  /**
   * Yields the blocks of a range with the records that are in it. Reads one block ahead, unless
   * `isShort` is set.
   */
  async *blocksOf(range: RecordRange = {}): AsyncGenerator<DecodedBlock, void, void> {
    const { from = 0, to = Infinity, isShort = false, signal } = range;
    let index = Math.max(0, findBlockByRecord(this.blocks, from));
    let ahead: Promise<DecodedBlock> | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const next = ahead ?? this.#blockBefore(index, to);
      if (!next) return;
      const decoded = await next;
      index++;
      ahead = isShort ? undefined : this.#blockBefore(index, to);
      const first = decoded.block.firstRecordIndex;
      const records = decoded.records.slice(Math.max(0, from - first), Math.max(0, to - first));
      yield { ...decoded, records };
    }
  }

  #blockBefore(index: number, endRecord: number): Promise<DecodedBlock> | undefined {
    const block = this.blocks[index];
    return block && block.firstRecordIndex < endRecord ? this.readBlock(index) : undefined;
  }

  /** Yields the records of a range and skips unreadable ones, which {@link blocksOf} reports. */
  async *records(range: RecordRange = {}): AsyncGenerator<AhrRecord, void, void> {
    for await (const { records } of this.blocksOf(range)) yield* records;
  }
}

function isHeaderOf(block: BlockInfo, header: BlockHeader): boolean {
  return (
    header.startTsNs === block.startTsNs &&
    header.startByteOffset === BigInt(block.startByteOffset) &&
    header.compressedLength === block.compressedLength &&
    header.uncompressedLength === block.uncompressedLength &&
    possibleRecords(header) === block.recordCount
  );
}
