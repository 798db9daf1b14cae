import type { MomentKind } from './moment.ts';

export interface MarkerInput {
  readonly id: string;
  readonly kind: MomentKind;
  /** Pixels from the left. */
  readonly x: number;
  readonly isError?: boolean;
}

/** One mark on the scrubber: a moment, or several that are too close to be told apart. */
export interface Marker {
  readonly x: number;
  readonly kind: MomentKind;
  readonly isError: boolean;
  /** In the order of the session; never empty. */
  readonly ids: readonly string[];
}

/** Where several share a place, the one that matters most to somebody looking for a moment is shown. */
const WEIGHT: Readonly<Record<MomentKind, number>> = {
  error: 9,
  approval: 8,
  prompt: 7,
  branch: 6,
  snapshot: 5,
  tool: 4,
  message: 3,
  mark: 2,
  resize: 1,
};

/**
 * Places marks so that none is closer than `minDistance` to the next. First moments of one kind are gathered, so that a row of
 * tool calls becomes one mark; what then still collides is gathered too, and shows its weightiest kind.
 * @param moments in the order of the session
 */
export function layoutMarkers(moments: readonly MarkerInput[], minDistance: number): Marker[] {
  const byKind = new Map<MomentKind, GrowingMarker[]>();
  moments.forEach((moment, index) => {
    const row = byKind.get(moment.kind) ?? [];
    byKind.set(moment.kind, row);
    gather(row, markerOf(moment, index), minDistance);
  });
  const all = [...byKind.values()].flat().sort((a, b) => a.x - b.x);
  const placed: GrowingMarker[] = [];
  for (const marker of all) gather(placed, marker, minDistance);
  return placed.map(({ indexes, ...marker }) => ({
    ...marker,
    ids: indexes.sort((a, b) => a - b).map((index) => moments[index]!.id),
  }));
}

/** Thousands of moments may become one mark: it grows in place. */
interface GrowingMarker {
  readonly x: number;
  kind: MomentKind;
  isError: boolean;
  /** Of its moments. */
  readonly indexes: number[];
}

function gather(row: GrowingMarker[], next: GrowingMarker, minDistance: number): void {
  const last = row.at(-1);
  if (!last || next.x - last.x >= minDistance) {
    row.push(next);
    return;
  }
  // It stays where the first one was: a place that moved with its number would reach the next mark.
  if (weightOf(next) > weightOf(last)) last.kind = next.kind;
  last.isError ||= next.isError;
  for (const index of next.indexes) last.indexes.push(index);
}

/** What went wrong matters more than anything that went well. */
function weightOf({ kind, isError }: GrowingMarker): number {
  return WEIGHT[kind] + (isError ? 10 : 0);
}

function markerOf({ kind, x, isError }: MarkerInput, index: number): GrowingMarker {
  return { x, kind, isError: isError === true, indexes: [index] };
}
