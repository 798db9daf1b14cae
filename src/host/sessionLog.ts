import { Emitter } from '../base/emitter.ts';
import { findBlockByRecord } from '../recording/read/blockIndex.ts';
import type { BlockInfo } from '../recording/format/blockInfo.ts';
import type { AhrRecord, DataRecord } from '../recording/format/records.ts';

/** The part of the recording's writer that the log uses. */
export interface LogWriter {
  append(record: AhrRecord): void;
  onDidWriteBlock(listener: (block: BlockInfo) => void): unknown;
}

export type BlockLoader = (block: BlockInfo) => Promise<readonly AhrRecord[]>;

/** Recent records stay in memory, so that consumers that keep up never read the disk. */
const TAIL_BYTES = 4 * 1024 * 1024;
/** Memory that a record takes besides its bytes. */
const RECORD_OVERHEAD_BYTES = 128;
/**
 * Output within one screen frame becomes one record: agents redraw in many small pieces, whose
 * headers would take more space in a compressed file than their text. Clients get the output
 * without this delay.
 */
export const JOIN_MS = 16;
const MAX_JOINED_BYTES = 64 * 1024;

/** Output that is not in a record yet. */
interface OpenRecord {
  readonly tsNs: bigint;
  readonly startByteOffset: number;
  readonly parts: Uint8Array[];
  length: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * All events of a session in one order. Each consumer (a client, the terminal model) has a cursor
 * and pulls at its own pace. A consumer that lags reads from the recording on disk, so it costs no
 * memory and does not slow down the program.
 */
export class SessionLog {
  readonly #writer: LogWriter;
  readonly #loadBlock: BlockLoader;
  readonly #blocks: BlockInfo[] = [];
  #tail: AhrRecord[] = [];
  #tailStart = 0;
  #tailBytes = 0;
  #writtenRecords = 0;
  #totalBytes = 0;
  #lastTsNs = 0n;
  #open: OpenRecord | undefined;
  #loaded: { block: BlockInfo; records: readonly AhrRecord[] } | undefined;

  readonly #growth = new Emitter<void>();

  /** Fires for each new record, and for output that will become part of one. */
  readonly onDidGrow = this.#growth.event;

  constructor(writer: LogWriter, loadBlock: BlockLoader) {
    this.#writer = writer;
    this.#loadBlock = loadBlock;
    writer.onDidWriteBlock((block) => {
      this.#blocks.push(block);
      this.#writtenRecords = block.firstRecordIndex + block.recordCount;
      this.#trim();
    });
  }

  /**
   * Index of the next record. The newest output may not be in a record yet: see {@link readOpen}.
   */
  get endIndex(): number {
    return this.#tailStart + this.#tail.length;
  }

  /** Number of output bytes so far. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Time of the newest record or output. */
  get lastTsNs(): bigint {
    return this.#lastTsNs;
  }

  /** Appends any event except output. */
  append(record: Exclude<AhrRecord, DataRecord>): void {
    this.seal();
    this.#add(record);
    this.#growth.fire();
  }

  /** Appends at most 64 KiB of output; the caller must not change the bytes afterwards. */
  appendOutput(tsNs: bigint, bytes: Uint8Array): void {
    if (this.#open && this.#open.length + bytes.length > MAX_JOINED_BYTES) this.seal();
    this.#open ??= {
      tsNs,
      startByteOffset: this.#totalBytes,
      parts: [],
      length: 0,
      timer: setTimeout(() => this.seal(), JOIN_MS),
    };
    this.#lastTsNs = tsNs;
    this.#open.parts.push(bytes);
    this.#open.length += bytes.length;
    this.#totalBytes += bytes.length;
    this.#growth.fire();
  }

  /** Turns the open output into a record now. */
  seal(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    clearTimeout(open.timer);
    const { tsNs, startByteOffset } = open;
    this.#add({ kind: 'data', tsNs, startByteOffset, bytes: joined(open.parts) });
    this.#growth.fire();
  }

  /** Output from `byteOffset` on that is not in a record yet; undefined if there is none. */
  readOpen(byteOffset: number): Uint8Array | undefined {
    if (!this.#open || byteOffset >= this.#totalBytes) return undefined;
    return joined(this.#open.parts).subarray(Math.max(0, byteOffset - this.#open.startByteOffset));
  }

  /**
   * Records from `index` on: at least one if there is one, and about `maxBytes` at most.
   * Returns no promise when they are in memory.
   */
  read(index: number, maxBytes: number): readonly AhrRecord[] | Promise<readonly AhrRecord[]> {
    if (index >= this.#tailStart) return upTo(this.#tail, index - this.#tailStart, maxBytes);
    return this.#readBack(index, maxBytes);
  }

  /**
   * Index of the record where about the last `bytes` of output start; the oldest record in memory
   * if there is less output in memory.
   */
  tailIndex(bytes: number): number {
    let start = this.#tail.length;
    for (let found = 0; found < bytes; start--) {
      const record = this.#tail[start - 1];
      if (!record) break;
      found += weight(record);
    }
    return this.#tailStart + start;
  }

  #add(record: AhrRecord): void {
    if (record.tsNs > this.#lastTsNs) this.#lastTsNs = record.tsNs;
    this.#tail.push(record);
    this.#tailBytes += weight(record);
    this.#writer.append(record);
    this.#trim();
  }

  async #readBack(index: number, maxBytes: number): Promise<readonly AhrRecord[]> {
    const block = this.#blocks[findBlockByRecord(this.#blocks, index)];
    if (!block) throw new Error(`record ${index} is neither in memory nor on disk`);
    let loaded = this.#loaded;
    if (loaded?.block !== block) {
      loaded = { block, records: await this.#loadBlock(block) };
      this.#loaded = loaded;
    }
    return upTo(loaded.records, index - block.firstRecordIndex, maxBytes);
  }

  /** Drops old records from memory, but only those that are on disk. */
  #trim(): void {
    if (this.#tailBytes <= TAIL_BYTES) return;
    let dropped = 0;
    for (const record of this.#tail) {
      if (this.#tailBytes <= TAIL_BYTES || this.#tailStart + dropped >= this.#writtenRecords) break;
      this.#tailBytes -= weight(record);
      dropped++;
    }
    if (dropped === 0) return;
    this.#tail = this.#tail.slice(dropped);
    this.#tailStart += dropped;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return only && parts.length === 1 ? only : Buffer.concat(parts);
}

function upTo(records: readonly AhrRecord[], from: number, maxBytes: number): readonly AhrRecord[] {
  const found: AhrRecord[] = [];
  let bytes = 0;
  for (let index = from; found.length === 0 || bytes < maxBytes; index++) {
    const record = records[index];
    if (!record) break;
    found.push(record);
    bytes += weight(record);
  }
  return found;
}

function weight(record: AhrRecord): number {
  return RECORD_OVERHEAD_BYTES + ('bytes' in record ? record.bytes.length : 0);
}
