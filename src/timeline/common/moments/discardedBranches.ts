import type { PageMoment } from './moment.ts';

/** Marks the moments at which discarded branches start. @param discarded their IDs */
export function withDiscarded(
  moments: readonly PageMoment[],
  discarded: ReadonlySet<string>,
): readonly PageMoment[] {
  if (discarded.size === 0) return moments;
  return moments.map((moment) =>
    discarded.has(moment.branchId ?? '') ? { ...moment, isDiscarded: true } : moment,
  );
}
