import type { SnapshotLine } from '../snapshots/snapshotLine.ts';

const DETAIL = 'A change to it was noticed only later.';

/** The snapshots that looked only where the watcher said, since the whole workspace was compared with one of them. */
export class UnprovenLines {
  #lines: { readonly line: SnapshotLine; readonly startedNs: bigint }[] = [];

  add(line: SnapshotLine, startedNs: bigint): void {
    this.#lines.push({ line, startedNs });
  }

  /**
   * Those that began until then are proven, but for the files that were missed.
   * @returns those of them that have to say so, as they do
   */
  prove(untilNs: bigint, missed: readonly string[]): SnapshotLine[] {
    const proven = this.#lines.filter(({ startedNs }) => startedNs <= untilNs);
    this.#lines = this.#lines.filter(({ startedNs }) => startedNs > untilNs);
    if (missed.length === 0) return [];
    const unstable = missed.map((path) => ({ path, reason: 'unstable', detail: DETAIL }) as const);
    return proven.flatMap(({ line: { files, ...moment } }) => {
      if (files.state !== 'kept') return [];
      const omissions = [...files.omissions, ...unstable];
      return [{ ...moment, files: { ...files, omissions } }];
    });
  }
}
