import { MARK_PAUSE, MARK_RESUME, MARK_SESSION_END } from '../format/format.ts';
import type { AhrRecord } from '../format/records.ts';

/** A part of a session in which nothing was recorded. */
export interface Pause {
  readonly fromNs: bigint;
  /** Undefined if no mark ends it: the session still runs, or its recorder was killed. */
  readonly toNs: bigint | undefined;
  /** Bytes of output before the pause. */
  readonly byteOffset: number;
  /**
   * Whether the user resumed the recording. Then the recorder has printed a line about the pause.
   */
  readonly isResumed: boolean;
}

/** Finds the pauses of a recording. */
export class PauseFinder {
  #byteOffset = 0;
  #open: Pause | undefined;

  /** The pause that has not ended yet. */
  get open(): Pause | undefined {
    return this.#open;
  }

  /**
   * Call this for every record, in order.
   * @returns the pause that the record begins or ends
   */
  after(record: AhrRecord): Pause | undefined {
    if (record.kind === 'data') this.#byteOffset = record.startByteOffset + record.bytes.length;
    if (record.kind !== 'mark') return undefined;
    const { code, tsNs } = record;
    if (code === MARK_PAUSE) {
      const byteOffset = this.#byteOffset;
      this.#open = { fromNs: tsNs, toNs: undefined, byteOffset, isResumed: false };
      return this.#open;
    }
    if (!this.#open || (code !== MARK_RESUME && code !== MARK_SESSION_END)) return undefined;
    const ended = { ...this.#open, toNs: tsNs, isResumed: code === MARK_RESUME };
    this.#open = undefined;
    return ended;
  }
}
