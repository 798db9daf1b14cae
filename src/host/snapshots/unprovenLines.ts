import { NEVER_PROVEN, provenLine } from '../../snapshots/common/provenLine.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';

const DETAIL = 'A change to it was noticed only later.';

/** The snapshots that looked only where the watcher said, since the whole workspace was compared with one of them. */
export class UnprovenLines {
  #lines: { readonly line: SnapshotLine; readonly startedNs: bigint }[] = [];

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  add(line: SnapshotLine, startedNs: bigint): void {
    this.#lines.push({ line, startedNs });
  }

  /**
   * Those that began until then are proven, but for the files that were missed.
   * @returns them, as they say so
   */
  prove(untilNs: bigint, missed: readonly string[]): SnapshotLine[] {
    const proven = this.#lines.filter(({ startedNs }) => startedNs <= untilNs);
    this.#lines = this.#lines.filter(({ startedNs }) => startedNs > untilNs);
    const unstable = missed.map((path) => ({ path, reason: 'unstable', detail: DETAIL }) as const);
    return proven.map(({ line }) => provenLine(line, unstable));
  }

  /** Nobody proves the others any more. @returns them, as they say so */
  giveUp(): SnapshotLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines.map(({ line }) => provenLine(line, [NEVER_PROVEN]));
  }
}
