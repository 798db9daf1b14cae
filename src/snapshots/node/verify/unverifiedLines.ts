import { NEVER_VERIFIED, verifiedLine } from '../../common/verifiedLine.ts';
import type { SnapshotLine } from '../../common/snapshotLine.ts';

const DETAIL = 'This file had changed, but the watcher had not reported it.';

/** The incremental snapshots since the last comparison with the whole workspace. */
export class UnverifiedLines {
  #lines: { readonly line: SnapshotLine; readonly startedNs: bigint }[] = [];

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  add(line: SnapshotLine, startedNs: bigint): void {
    this.#lines.push({ line, startedNs });
  }

  /**
   * Marks the snapshots that began up to `untilNs` as verified, except for the missed files.
   * @returns their changed lines
   */
  markVerified(untilNs: bigint, missed: readonly string[]): SnapshotLine[] {
    const verified = this.#lines.filter(({ startedNs }) => startedNs <= untilNs);
    this.#lines = this.#lines.filter(({ startedNs }) => startedNs > untilNs);
    const unstable = missed.map((path) => ({ path, reason: 'unstable', detail: DETAIL }) as const);
    return verified.map(({ line }) => verifiedLine(line, unstable));
  }

  /** Marks all remaining snapshots as never verified. @returns their changed lines */
  giveUp(): SnapshotLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines.map(({ line }) => verifiedLine(line, [NEVER_VERIFIED]));
  }
}
