/** What is known of a snapshot that one may branch from. */
export interface SnapshotPlace {
  readonly byteOffset: number;
  readonly tsNs: bigint;
}

/** The snapshot whose place in the output is nearest to a line's; of two that are as near, the newer. */
export function nearestSnapshot<T extends SnapshotPlace>(
  snapshots: readonly T[],
  byteOffset: number,
): T | undefined {
  const distance = (snapshot: T) => Math.abs(snapshot.byteOffset - byteOffset);
  return snapshots.reduce<T | undefined>((best, snapshot) => {
    if (!best || distance(snapshot) < distance(best)) return snapshot;
    const isAsNear = distance(snapshot) === distance(best);
    return isAsNear && snapshot.tsNs > best.tsNs ? snapshot : best;
  }, undefined);
}
