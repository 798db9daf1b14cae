import { Emitter } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { BlockEncoder } from './blockEncoder.ts';
import type { BlockInfo } from '../format/blockInfo.ts';
import { HEADER_LENGTH } from '../format/format.ts';
import { abandonedError, type RetryingSink } from './retryingSink.ts';
import type { Segment } from './segmentBuilder.ts';

/** Compresses segments in parallel and appends them to the file in order. */
export class BlockPipeline implements Disposable {
  readonly #encoder: BlockEncoder;
  readonly #sink: RetryingSink;
  readonly #writes = new Sequencer();
  readonly #waiters = new Set<{ count: number; resolve: () => void; reject: (e: Error) => void }>();
  readonly #didWriteBlock = new Emitter<BlockInfo>();
  #pushed = 0;
  #written = 0;
  #pendingBytes = 0;
  #recordIndex = 0;
  #isAbandoned = false;

  readonly onDidWriteBlock = this.#didWriteBlock.event;

  constructor(encoder: BlockEncoder, sink: RetryingSink) {
    this.#encoder = encoder;
    this.#sink = sink;
  }

  /** Number of pushed blocks. */
  get pushed(): number {
    return this.#pushed;
  }

  /** Number of pushed blocks that are not in the file yet. */
  get pending(): number {
    return this.#pushed - this.#written;
  }

  /** Uncompressed length of the pending blocks. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  push(segment: Segment, isLast: boolean): void {
    this.#pushed++;
    this.#pendingBytes += segment.bytes.length;
    const produce = this.#encoder.begin(segment, isLast);
    const { bytes, ...start } = segment;
    const facts = { ...start, uncompressedLength: bytes.length, isLast };
    this.#writes.queue(() => this.#write(facts, produce)).catch(ignoreAbandoned);
  }

  async #write(
    facts: Omit<Segment, 'bytes'> & Pick<BlockInfo, 'uncompressedLength' | 'isLast'>,
    produce: () => Promise<Uint8Array>,
  ): Promise<void> {
    const fileOffset = this.#sink.goodLength;
    await this.#sink.append(produce);
    const payloadOffset = fileOffset + HEADER_LENGTH;
    const compressedLength = this.#sink.goodLength - payloadOffset;
    const firstRecordIndex = this.#recordIndex;
    this.#written++;
    this.#pendingBytes -= facts.uncompressedLength;
    this.#recordIndex += facts.recordCount;
    this.#resolveWaiters();
    this.#didWriteBlock.fire({
      ...facts,
      fileOffset,
      headerLength: HEADER_LENGTH,
      payloadOffset,
      compressedLength,
      firstRecordIndex,
    });
  }

  /** Returns when the file contains `count` blocks. */
  whenWritten(count: number): Promise<void> {
    if (count <= this.#written) return Promise.resolve();
    if (this.#isAbandoned) return Promise.reject(abandonedError());
    return new Promise((resolve, reject) => this.#waiters.add({ count, resolve, reject }));
  }

  #resolveWaiters(): void {
    for (const waiter of [...this.#waiters]) {
      if (waiter.count > this.#written) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  abandon(): void {
    this.#isAbandoned = true;
    this.#sink.abandon();
    for (const waiter of this.#waiters) waiter.reject(abandonedError());
    this.#waiters.clear();
  }

  dispose(): void {
    this.abandon();
    this.#didWriteBlock.dispose();
  }
}

/** The caller of `abandon` knows that later writes fail; any other error is a bug. */
function ignoreAbandoned(error: unknown): void {
  if (!(error instanceof UserError && error.code === 'recording-abandoned')) throw error;
}
