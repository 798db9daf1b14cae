import type { MomentPlace } from './momentRef.ts';

/**
 * The snapshot whose byte offset is nearest to that of a line; of two at the same distance, the
 * newer. Of several at the same byte offset, the last one taken before the line, or the first if
 * all were taken after it.
 */
export function nearestSnapshot<T extends MomentPlace>(
  snapshots: readonly T[],
  line: MomentPlace,
): T | undefined {
  return snapshots.reduce<T | undefined>(
    (best, each) => (best && !isNearer(each, best, line) ? best : each),
    undefined,
  );
}

function isNearer(one: MomentPlace, other: MomentPlace, line: MomentPlace): boolean {
  if (one.byte === other.byte) {
    const isLater = one.timeNs > other.timeNs;
    return isLater ? one.timeNs <= line.timeNs : other.timeNs > line.timeNs;
  }
  const distance = Math.abs(one.byte - line.byte);
  const otherDistance = Math.abs(other.byte - line.byte);
  if (distance !== otherDistance) return distance < otherDistance;
  return one.timeNs > other.timeNs;
}
