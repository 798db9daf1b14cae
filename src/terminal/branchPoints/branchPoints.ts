import type { SnapshotRecord } from '../../recording/format/records.ts';
import type { FinalLine, FinalLineBatches, FinalSummary } from '../lines/finalLines.ts';

/** A moment whose files were kept. */
export interface SnapshotMoment {
  readonly id: bigint;
  /** Bytes of output before it. */
  readonly anchorByte: number;
  readonly label: string;
  readonly tsNs: bigint;
}

export type BranchPoint =
  ({ readonly kind: 'line' } & FinalLine) | ({ readonly kind: 'snapshot' } & SnapshotMoment);

/** In batches, like the lines they are made of. */
export type BranchPointBatches = AsyncGenerator<readonly BranchPoint[], FinalSummary, void>;

export function snapshotMoment(record: SnapshotRecord): SnapshotMoment {
  const { snapshotId, anchorByte, label, tsNs } = record;
  return { id: snapshotId, anchorByte, label, tsNs };
}

/**
 * The lines of a session and its snapshots in one order: a snapshot comes before the first line that was written to after it.
 * Lines stay as they are on the screen, even where one further up was written later; snapshots at the same byte stay as they
 * came. A line that was written up to the very byte of a snapshot is part of it, and comes first.
 */
export async function* branchPoints(
  lines: FinalLineBatches,
  snapshots: Iterable<SnapshotMoment>,
): BranchPointBatches {
  const moments = [...snapshots].sort((a, b) => a.anchorByte - b.anchorByte);
  let next = 0;
  const addMoments = (points: BranchPoint[], position: number): void => {
    while (next < moments.length && moments[next]!.anchorByte < position) {
      points.push({ kind: 'snapshot', ...moments[next++]! });
    }
  };
  for (;;) {
    const result = await lines.next();
    const points: BranchPoint[] = [];
    if (result.done === true) {
      addMoments(points, Infinity);
      yield points;
      return result.value;
    }
    for (const { index, text, lastWriteByte, styled } of result.value) {
      addMoments(points, lastWriteByte);
      points.push({ kind: 'line', index, text, lastWriteByte, styled });
    }
    yield points;
  }
}
