/** A place in a session: of a line that one may branch after, or of a snapshot to begin from. */
export interface SessionPlace {
  readonly byteOffset: number;
  readonly tsNs: bigint;
}

/**
 * The snapshot whose place in the output is nearest to a line's; of two that are as near, the newer. Where nothing was printed
 * between several, time tells them apart: the last of them before the line, else the first.
 */
export function nearestSnapshot<T extends SessionPlace>(
  snapshots: readonly T[],
  line: SessionPlace,
): T | undefined {
  return snapshots.reduce<T | undefined>(
    (best, each) => (best && !isNearer(each, best, line) ? best : each),
    undefined,
  );
}

function isNearer(one: SessionPlace, other: SessionPlace, line: SessionPlace): boolean {
  if (one.byteOffset === other.byteOffset) {
    const isLater = one.tsNs > other.tsNs;
    return isLater ? one.tsNs <= line.tsNs : other.tsNs > line.tsNs;
  }
  const distance = Math.abs(one.byteOffset - line.byteOffset);
  const otherDistance = Math.abs(other.byteOffset - line.byteOffset);
  if (distance !== otherDistance) return distance < otherDistance;
  return one.tsNs > other.tsNs;
}
