import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/emitter.ts';
import { DisposableStore, MutableDisposable, type Disposable } from '../../base/lifecycle.ts';
import { BlockEncoder } from './blockEncoder.ts';
import type { BlockInfo } from '../format/blockInfo.ts';
import { BlockPipeline } from './blockPipeline.ts';
import { checkRecord } from './checkRecord.ts';
import type { ByteSink, Compressor } from '../format/ports.ts';
import type { AhrRecord } from '../format/records.ts';
import { RetryingSink, type Trouble } from './retryingSink.ts';
import { SegmentBuilder, type Segment } from './segmentBuilder.ts';

export interface WriterOptions {
  /** Must be empty and have no other writer. */
  readonly sink: ByteSink;
  readonly compressor: Compressor;
  readonly clock: Clock;
  /** Brotli quality, 0 to 11; reduced while output floods in. */
  readonly quality: number;
  /** Longest segment of a block; 512 KiB by default. */
  readonly maxSegmentBytes?: number;
  /** Longest time from a block's first record until it is written; 200 by default. */
  readonly maxBlockAgeMs?: number;
  /** Time between attempts while the sink fails; 500 by default. */
  readonly retryDelayMs?: number;
}

/**
 * While this many blocks are pending, a block stays open beyond its time limit until it is full.
 */
const MAX_PENDING_FOR_DUE = 2;

/**
 * A segment of at least this share of the maximum length counts as full, because the next record
 * may have been too long for the rest.
 */
const FLOOD_SHARE = 0.75;

/** Writes a recording in blocks. All accepted records reach the sink, in order. */
export class RecordingWriter implements Disposable {
  readonly #clock: Clock;
  readonly #maxSegmentBytes: number;
  readonly #maxBlockAgeMs: number;
  readonly #disposables = new DisposableStore();
  readonly #sink: RetryingSink;
  readonly #pipeline: BlockPipeline;
  readonly #age: MutableDisposable<Disposable>;
  readonly #open = new SegmentBuilder();
  #recordCount = 0;
  #byteOffset = 0;
  #lastTsNs: bigint | undefined;
  #isDue = false;
  #isAbandoned = false;
  #closed: Promise<void> | undefined;

  /** Fires when a block is in the file, where readers see it. */
  readonly onDidWriteBlock: Event<BlockInfo>;
  /** Fires when the sink starts to fail, and with `undefined` when it works again. */
  readonly onDidChangeTrouble: Event<Trouble | undefined>;

  constructor(options: WriterOptions) {
    this.#clock = options.clock;
    this.#maxSegmentBytes = options.maxSegmentBytes ?? 512 * 1024;
    this.#maxBlockAgeMs = options.maxBlockAgeMs ?? 200;
    const { sink, clock, retryDelayMs = 500, compressor, quality } = options;
    this.#sink = this.#disposables.add(new RetryingSink(sink, clock, retryDelayMs));
    const encoder = new BlockEncoder(compressor, quality, this.#maxSegmentBytes * FLOOD_SHARE);
    this.#pipeline = this.#disposables.add(new BlockPipeline(encoder, this.#sink));
    this.#age = this.#disposables.add(new MutableDisposable());
    this.onDidWriteBlock = this.#pipeline.onDidWriteBlock;
    this.onDidChangeTrouble = this.#sink.onDidChangeTrouble;
    this.#disposables.add(this.#pipeline.onDidWriteBlock(() => this.#sealIfDue()));
  }

  /** Number of accepted records. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** Bytes of accepted output: the start of the next data record. */
  get byteOffset(): number {
    return this.#byteOffset;
  }

  /**
   * Uncompressed bytes that are not in the file yet. The caller pauses its source if there are too
   * many.
   */
  get pendingBytes(): number {
    return this.#open.length + this.#pipeline.pendingBytes;
  }

  /**
   * Copies a record; compresses and writes it later. Ignores records after {@link abandon}.
   * @throws RangeError if the record does not continue the earlier ones or is too long; Error after
   * {@link close}
   */
  append(record: AhrRecord): void {
    if (this.#closed) throw new Error('The recording is closed.');
    if (this.#isAbandoned) return;
    checkRecord(record);
    this.#checkPosition(record);
    const length = 'bytes' in record ? record.bytes.length : 0;
    if (this.#open.recordCount > 0 && this.#open.length + length > this.#maxSegmentBytes) {
      this.#seal(false);
    }
    this.#open.add(record, this.#byteOffset);
    if (record.kind === 'data') this.#byteOffset += length;
    this.#lastTsNs = record.tsNs;
    this.#recordCount++;
    if (this.#open.length >= this.#maxSegmentBytes) this.#seal(false);
    else this.#age.value ??= this.#clock.schedule(this.#maxBlockAgeMs, () => this.#makeDue());
  }

  #checkPosition(record: AhrRecord): void {
    if (record.kind === 'data' && record.startByteOffset !== this.#byteOffset) {
      const { startByteOffset } = record;
      throw new RangeError(`Output at ${startByteOffset} cannot follow ${this.#byteOffset} bytes.`);
    }
    if (record.kind === 'snapshot' && record.anchorByte > this.#byteOffset) {
      throw new RangeError(`Anchor ${record.anchorByte} is beyond ${this.#byteOffset} bytes.`);
    }
  }

  #makeDue(): void {
    this.#isDue = this.#open.recordCount > 0;
    this.#sealIfDue();
  }

  #sealIfDue(): void {
    if (this.#isDue && this.#pipeline.pending < MAX_PENDING_FOR_DUE) this.#seal(false);
  }

  #seal(isLast: boolean): void {
    this.#age.clear();
    this.#isDue = false;
    const segment = this.#open.recordCount > 0 ? this.#open.take() : this.#emptySegment();
    this.#pipeline.push(segment, isLast);
  }

  #emptySegment(): Segment {
    return {
      bytes: new Uint8Array(0),
      recordCount: 0,
      startTsNs: this.#lastTsNs ?? this.#clock.nowNs(),
      startByteOffset: this.#byteOffset,
    };
  }

  /**
   * Returns when all accepted records are on the disk. While the sink fails, it waits.
   * @throws UserError `recording-abandoned`
   */
  async flush(): Promise<void> {
    await this.writeOut();
    await this.#sink.sync();
  }

  /**
   * Like {@link flush}, but doesn't wait for the disk: a power cut may lose the records, the end of
   * this process does not.
   */
  async writeOut(): Promise<void> {
    const open = this.#open.recordCount > 0 ? 1 : 0;
    const written = this.#pipeline.whenWritten(this.#pipeline.pushed + open);
    this.#makeDue();
    await written;
  }

  /**
   * Ends the recording with a last block, and returns when it is on the disk. While the sink fails,
   * it waits.
   * @throws UserError `recording-abandoned`
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#finish());
  }

  async #finish(): Promise<void> {
    this.#seal(true);
    await this.#pipeline.whenWritten(this.#pipeline.pushed);
    await this.#sink.sync();
  }

  /** Drops records that are not in the file, and later ones. Pending calls fail. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#age.dispose();
    this.#pipeline.abandon();
  }

  dispose(): void {
    this.abandon();
    this.#disposables.dispose();
  }
}
