import { Emitter } from '../base/emitter.ts';
import { findBlockByRecord } from '../recording/read/blockIndex.ts';
import type { BlockInfo } from '../recording/format/blockInfo.ts';
import type { AhrRecord, DataRecord } from '../recording/format/records.ts';

/** What the log needs of the writer that makes it durable. */
export interface LogWriter {
  append(record: AhrRecord): void;
  onDidWriteBlock(listener: (block: BlockInfo) => void): unknown;
}

export type BlockLoader = (block: BlockInfo) => Promise<readonly AhrRecord[]>;

/** Recent records stay in memory, so that whoever keeps up never touches the disk. */
const TAIL_BYTES = 4 * 1024 * 1024;
/** What a record weighs in memory beside its bytes. */
const RECORD_OVERHEAD_BYTES = 128;
/**
 * Output that comes within one frame of a screen becomes one record: agents write a redraw in many small pieces, and in a
 * compressed file the headers of the pieces would outweigh what they hold. Clients do not wait for it.
 */
export const JOIN_MS = 16;
const MAX_JOINED_BYTES = 64 * 1024;

/** Output on its way to becoming a record. */
interface OpenRecord {
  readonly tsNs: bigint;
  readonly startByteOffset: number;
  readonly parts: Uint8Array[];
  length: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Every event of a session in one order. Whoever consumes it (a client, the terminal model) holds a cursor and pulls at
 * its own pace: one that lags reads the recording back from disk, and nobody's slowness costs memory or the program's time.
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

  /** There is a new record, or output that will be part of one. */
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

  /** Index that the next record will have. Output of the last few milliseconds is not in a record yet: {@link readOpen}. */
  get endIndex(): number {
    return this.#tailStart + this.#tail.length;
  }

  /** Count of program output bytes so far. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** When the newest of it came. */
  get lastTsNs(): bigint {
    return this.#lastTsNs;
  }

  /** Any event but output. */
  append(record: Exclude<AhrRecord, DataRecord>): void {
    this.seal();
    this.#add(record);
    this.#growth.fire();
  }

  /** Output, at most 64 KiB of it; the bytes are the log's from now on. */
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

  /** Makes a record of the output that has come so far. */
  seal(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    clearTimeout(open.timer);
    const { tsNs, startByteOffset } = open;
    this.#add({ kind: 'data', tsNs, startByteOffset, bytes: joined(open.parts) });
    this.#growth.fire();
  }

  /** Output from `byteOffset` on that is in no record yet. */
  readOpen(byteOffset: number): Uint8Array | undefined {
    if (!this.#open || byteOffset >= this.#totalBytes) return undefined;
    return joined(this.#open.parts).subarray(Math.max(0, byteOffset - this.#open.startByteOffset));
  }

  /**
   * Records from `index` on, at least one if there is one, and not much more than `maxBytes` of them.
   * Without a promise when they are in memory.
   */
  read(index: number, maxBytes: number): readonly AhrRecord[] | Promise<readonly AhrRecord[]> {
    if (index >= this.#tailStart) return upTo(this.#tail, index - this.#tailStart, maxBytes);
    return this.#readBack(index, maxBytes);
  }

  /** Where about the last `bytes` of the output begin. */
  tailIndex(bytes: number): number {
    let start = this.#tail.length;
    for (let found = 0; start > 0 && found < bytes; start--)
      found += weight(this.#tail[start - 1]!);
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

  /** Lets go of old records, but never of one that is not on disk yet. */
  #trim(): void {
    let dropped = 0;
    while (this.#tailBytes > TAIL_BYTES && this.#tailStart + dropped < this.#writtenRecords) {
      this.#tailBytes -= weight(this.#tail[dropped]!);
      dropped++;
    }
    if (dropped === 0) return;
    this.#tail = this.#tail.slice(dropped);
    this.#tailStart += dropped;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function upTo(records: readonly AhrRecord[], from: number, maxBytes: number): readonly AhrRecord[] {
  let end = from;
  for (let bytes = 0; end < records.length && (end === from || bytes < maxBytes); end++) {
    bytes += weight(records[end]!);
  }
  return records.slice(from, end);
}

function weight(record: AhrRecord): number {
  return RECORD_OVERHEAD_BYTES + ('bytes' in record ? record.bytes.length : 0);
}
