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
  /** Empty, and written by nobody else. */
  readonly sink: ByteSink;
  readonly compressor: Compressor;
  readonly clock: Clock;
  /** Brotli quality, 0 to 11; lower for a while when the writer falls behind. */
  readonly quality: number;
  /** Length at which a block is written; 512 KiB unless told. */
  readonly maxSegmentBytes?: number;
  /** Time after a block's first record at which it is written, full or not; 200 unless told. */
  readonly maxBlockAgeMs?: number;
  /** Time between attempts while the sink fails; 500 unless told. */
  readonly retryDelayMs?: number;
}

/** With so many blocks on their way, one that is due but not full stays open and fills up instead of joining them. */
const MAX_PENDING_FOR_DUE = 2;

/** A segment is closed before the record that would make it too long, so a full one is not quite full. */
const FLOOD_SHARE = 0.75;

/** Writes a recording, block by block. Everything it accepted reaches the sink in order, however long that takes. */
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

  /** A block is in the file: whoever reads the file now sees it. */
  readonly onDidWriteBlock: Event<BlockInfo>;
  /** The sink began to fail, or (`undefined`) works again. Told once each. */
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

  /** Records accepted so far. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** Bytes of output accepted so far: where the next data record must start. */
  get byteOffset(): number {
    return this.#byteOffset;
  }

  /** Bytes accepted and not yet in the file, before compression: the caller's measure for holding back its source. */
  get pendingBytes(): number {
    return this.#open.length + this.#pipeline.pendingBytes;
  }

  /**
   * Takes a record, copying its bytes. Cheap: compressing and writing happen elsewhere. Drops it after {@link abandon}.
   * @throws RangeError when the record cannot follow the ones before it, or fits no block; Error after {@link close}
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
   * Returns when every record accepted so far is in the file and on the disk. Waits through trouble.
   * @throws UserError `recording-abandoned`
   */
  async flush(): Promise<void> {
    const open = this.#open.recordCount > 0 ? 1 : 0;
    const written = this.#pipeline.whenWritten(this.#pipeline.pushed + open);
    this.#makeDue();
    await written;
    await this.#sink.sync();
  }

  /**
   * Ends the recording with a block that says so, and returns when it is on the disk. Waits through trouble.
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

  /** Gives up on what is not in the file yet: waiting calls fail, later records are dropped. */
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
