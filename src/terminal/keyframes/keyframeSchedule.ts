import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Keyframe } from './keyframe.ts';
import type { TerminalModel } from '../screen/terminalModel.ts';

/**
 * A seek parses what lies between a keyframe and its target. At 20 MB/s a quarter of a megabyte takes 13 ms at worst, and the
 * states, a few kilobytes each, come to one or two percent of the recording's output.
 */
const KEYFRAME_BYTES = 256 * 1024;
/** Many small records cost more than their bytes: each has its rows hashed. */
const KEYFRAME_RECORDS = 2048;
/** So that the time line of a quiet session has places to start from too. */
const KEYFRAME_INTERVAL_NS = 30_000n * NANOSECONDS_PER_MILLISECOND;
/**
 * A state is a few kilobytes, or tens of them where every cell has its own colours. What is larger was made so, by a title or a
 * cell of megabytes: such states may come to half of the output they belong to, and no more.
 */
const LARGE_STATE_BYTES = 64 * 1024;
/** Where no cut is possible, how many bytes to wait before trying again: trying costs as much as a keyframe. */
const RETRY_BYTES = 8 * 1024;

/** Decides when a model that follows a recording is worth a keyframe, and takes it. */
export class KeyframeSchedule {
  #recordIndex: number;
  #keyframeIndex: number;
  #keyframeByteOffset: number;
  #keyframeTsNs: bigint | undefined;
  #stateBytes: number;
  #retryAt = 0;

  /** @param from the keyframe the model was restored from, if it was */
  constructor(from?: Keyframe) {
    this.#recordIndex = from?.recordIndex ?? 0;
    this.#keyframeIndex = this.#recordIndex;
    this.#keyframeByteOffset = from?.byteOffset ?? 0;
    this.#keyframeTsNs = from?.tsNs;
    this.#stateBytes = from?.stream.length ?? 0;
  }

  /** To be called after every record of the recording, whatever its kind. */
  afterRecord(model: TerminalModel, record: AhrRecord): Keyframe | undefined {
    this.#recordIndex++;
    this.#keyframeTsNs ??= record.tsNs;
    const { byteOffset } = model;
    if (byteOffset < this.#retryAt || !this.#isDue(byteOffset, record.tsNs)) return undefined;
    const state = model.captureState();
    if (!state) {
      this.#retryAt = byteOffset + RETRY_BYTES;
      return undefined;
    }
    this.#keyframeIndex = this.#recordIndex;
    this.#keyframeByteOffset = byteOffset;
    this.#keyframeTsNs = record.tsNs;
    this.#stateBytes = state.stream.length;
    return { ...state, recordIndex: this.#recordIndex, tsNs: record.tsNs };
  }

  #isDue(byteOffset: number, tsNs: bigint): boolean {
    const bytes = byteOffset - this.#keyframeByteOffset;
    if (bytes === 0) return false;
    if (this.#stateBytes > LARGE_STATE_BYTES && bytes < 2 * this.#stateBytes) return false;
    return (
      bytes >= KEYFRAME_BYTES ||
      this.#recordIndex - this.#keyframeIndex >= KEYFRAME_RECORDS ||
      tsNs - (this.#keyframeTsNs ?? tsNs) >= KEYFRAME_INTERVAL_NS
    );
  }
}
