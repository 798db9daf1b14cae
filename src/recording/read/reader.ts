import { Sequencer } from '../../base/sequencer.ts';
import { decodeBlock, type DecodedBlock } from './blockDecoder.ts';
import type { BlockInfo } from '../format/blockInfo.ts';
import { findBlockByRecord } from './blockIndex.ts';
import { decodeHeader, HEADER_LENGTH, type BlockHeader } from '../format/format.ts';
import { LruCache } from './lruCache.ts';
import type { ByteSource, Decompressor } from '../format/ports.ts';
import type { RecordingProblem } from '../format/problem.ts';
import type { AhrRecord } from '../format/records.ts';
import { scanBlocks, type ScanResult } from './scan.ts';

/** Enough for stepping back and forth around a moment; at most 8 × 16 MiB for the worst of files. */
const CACHED_BLOCKS = 8;

export interface RecordRange {
  /** Index of the first record; 0 unless told. */
  readonly from?: number;
  /** Index after the last record; the end unless told. */
  readonly to?: number;
  /** Reads no block before it is asked for: for who wants a few records and knows only on the way where they end. */
  readonly isShort?: boolean;
  readonly signal?: AbortSignal;
}

/** What {@link RecordingReader.refresh} found. After `replaced` every block and index known before is void. */
export type RefreshResult = 'unchanged' | 'grown' | 'replaced';

/** Reads a recording, finished or still growing. Damage is handed back as problems beside what is good. */
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

  /** Grows in place; another array after `replaced`. */
  get blocks(): readonly BlockInfo[] {
    return this.#scan.blocks;
  }

  /** Why the file is not good to its end; a file still being written may be `truncated` for a moment. */
  get problem(): RecordingProblem | undefined {
    return this.#scan.problem;
  }

  /** Bytes of the file that are whole blocks. */
  get goodLength(): number {
    return this.#scan.goodLength;
  }

  /** Records in the blocks, as their headers say. */
  get recordCount(): number {
    const last = this.blocks.at(-1);
    return last ? last.firstRecordIndex + last.recordCount : 0;
  }

  /** Whether the recording was ended by its writer. */
  get isFinished(): boolean {
    return this.blocks.at(-1)?.isLast === true;
  }

  /** Looks for blocks written since; also notices when the file is no longer the one it was. */
  refresh(): Promise<RefreshResult> {
    return this.#refreshes.queue(async () => {
      const result = await this.#extend();
      if (result !== 'replaced') return result;
      this.#cache.clear();
      this.#scan = await scanBlocks(this.#source);
      return result;
    });
  }

  /** The same for a file that only grows: others may read meanwhile. After `replaced` nothing is as {@link blocks} says. */
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

  /** A block never changes once it is whole: in the same file the first and the last are where they were. */
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
    if (!block) throw new RangeError(`There is no block ${index}.`);
    const cached = this.#cache.get(index);
    if (cached) return cached;
    const decoded = decodeBlock(this.#source, this.#decompressor, block);
    this.#cache.set(index, decoded);
    decoded.catch(() => this.#cache.delete(index));
    return decoded;
  }

  /** The records of a range, block by block, the first and the last cut to it. Reads one block ahead, unless it is short. */
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

  /** The records of a range. What cannot be read is passed over: {@link blocksOf} names it. */
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
    header.recordCount === block.recordCount
  );
}
