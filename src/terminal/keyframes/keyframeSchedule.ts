import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Keyframe } from './keyframe.ts';
import type { TerminalModel } from '../screen/terminalModel.ts';

/**
 * Maximum output between keyframes. A seek parses the output from a keyframe to its target: at 20
 * MB/s, at most 13 ms. The states, a few kilobytes each, add one or two percent to the recording's
 * output.
 */
const KEYFRAME_BYTES = 256 * 1024;
/**
 * Maximum number of records between keyframes. Small records take longer than their bytes suggest,
 * because the model hashes the changed rows after each one.
 */
const KEYFRAME_RECORDS = 2048;
/**
 * Maximum time between keyframes while there is output: sessions with little output need some too.
 */
const KEYFRAME_INTERVAL_NS = 30_000n * NANOSECONDS_PER_MILLISECOND;
/**
 * Most states are smaller, even if each cell has its own color. Larger ones come from a hostile
 * title or cell of megabytes. After a larger state, the next keyframe has to wait for twice its
 * size in output, so that such states add at most half the length of the output.
 */
const LARGE_STATE_BYTES = 64 * 1024;
/**
 * If no keyframe is possible, the next attempt comes after this much output: an attempt costs as
 * much as a keyframe.
 */
const RETRY_BYTES = 8 * 1024;

/** Takes keyframes of a model that plays a recording. */
export class KeyframeSchedule {
  #recordIndex: number;
  #keyframeIndex: number;
  #keyframeByteOffset: number;
  #keyframeTsNs: bigint | undefined;
  #stateBytes: number;
  #retryAt = 0;

  /** @param from the keyframe that the model was restored from, if any */
  constructor(from?: Keyframe) {
    this.#recordIndex = from?.recordIndex ?? 0;
    this.#keyframeIndex = this.#recordIndex;
    this.#keyframeByteOffset = from?.byteOffset ?? 0;
    this.#keyframeTsNs = from?.tsNs;
    this.#stateBytes = from?.stream.length ?? 0;
  }

  /** Call it after every record of any kind. */
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
