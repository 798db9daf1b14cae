import type { SnapshotRecord } from '../../recording/format/records.ts';
import type { FinalLine, FinalLineBatches, FinalSummary } from '../lines/finalLines.ts';

/** A moment with a snapshot. */
export interface SnapshotMoment {
  readonly id: bigint;
  /** Number of output bytes before the moment. */
  readonly anchorByte: number;
  readonly label: string;
  readonly tsNs: bigint;
}

export type BranchPoint =
  ({ readonly kind: 'line' } & FinalLine) | ({ readonly kind: 'snapshot' } & SnapshotMoment);

/** Yields batches, as {@link FinalLineBatches} does. */
export type BranchPointBatches = AsyncGenerator<readonly BranchPoint[], FinalSummary, void>;

export function snapshotMoment(record: SnapshotRecord): SnapshotMoment {
  const { snapshotId, anchorByte, label, tsNs } = record;
  return { id: snapshotId, anchorByte, label, tsNs };
}

/**
 * Merges lines and snapshots: a snapshot precedes the first line that changed after it. Lines keep
 * the order on the screen, even if a line further up changed later; snapshots at the same byte keep
 * their order. A line that last changed at a snapshot's byte precedes the snapshot.
 * @param lastLine added after everything else
 */
export async function* branchPoints(
  lines: FinalLineBatches,
  snapshots: Iterable<SnapshotMoment>,
  lastLine?: string,
): BranchPointBatches {
  const moments = [...snapshots].sort((a, b) => a.anchorByte - b.anchorByte);
  let next = 0;
  let lineCount = 0;
  const addMoments = (points: BranchPoint[], position: number): void => {
    for (let moment = moments[next]; moment && moment.anchorByte < position;) {
      points.push({ kind: 'snapshot', ...moment });
      moment = moments[++next];
    }
  };
  for (;;) {
    const result = await lines.next();
    const points: BranchPoint[] = [];
    if (result.done === true) {
      addMoments(points, Infinity);
      if (lastLine !== undefined) {
        const { totalBytes } = result.value;
        const line = { index: lineCount, text: lastLine, styled: undefined };
        points.push({ kind: 'line', ...line, lastWriteByte: totalBytes });
      }
      yield points;
      return result.value;
    }
    for (const { index, text, lastWriteByte, styled } of result.value) {
      addMoments(points, lastWriteByte);
      points.push({ kind: 'line', index, text, lastWriteByte, styled });
      lineCount = index + 1;
    }
    yield points;
  }
}
