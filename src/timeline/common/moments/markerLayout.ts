import type { MomentKind } from './moment.ts';

export interface MarkerInput {
  readonly id: string;
  readonly kind: MomentKind;
  /** Pixels from the left edge. */
  readonly x: number;
  readonly isError?: boolean;
}

/** One mark on the scrubber: a moment, or several that are too close to draw separately. */
export interface Marker {
  readonly x: number;
  readonly kind: MomentKind;
  readonly isError: boolean;
  /** In session order; never empty. */
  readonly ids: readonly string[];
}

/** A mark of several moments shows the kind with the highest weight. */
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
 * Places marks at least `minDistance` apart. Merges neighbouring moments of one kind first, so that
 * a row of tool calls becomes one mark, and then whatever still overlaps.
 * @param moments in session order
 */
export function layoutMarkers(moments: readonly MarkerInput[], minDistance: number): Marker[] {
  const byKind = new Map<MomentKind, GrowingMarker[]>();
  moments.forEach((moment, index) => {
    const row = byKind.get(moment.kind) ?? [];
    byKind.set(moment.kind, row);
    mergeInto(row, markerOf(moment, index), minDistance);
  });
  const all = [...byKind.values()].flat().sort((a, b) => a.x - b.x);
  const placed: GrowingMarker[] = [];
  for (const marker of all) mergeInto(placed, marker, minDistance);
  return placed.map(({ members, ...marker }) => ({
    ...marker,
    ids: members.sort((a, b) => a.index - b.index).map(({ id }) => id),
  }));
}

/** Mutable, since one mark can collect thousands of moments. */
interface GrowingMarker {
  readonly x: number;
  kind: MomentKind;
  isError: boolean;
  readonly members: { readonly index: number; readonly id: string }[];
}

function mergeInto(row: GrowingMarker[], next: GrowingMarker, minDistance: number): void {
  const last = row.at(-1);
  if (!last || next.x - last.x >= minDistance) {
    row.push(next);
    return;
  }
  // The mark keeps the position of its first moment: an average would drift into the next mark.
  if (weightOf(next) > weightOf(last)) last.kind = next.kind;
  last.isError ||= next.isError;
  for (const member of next.members) last.members.push(member);
}

/** An error outweighs every kind of moment. */
function weightOf({ kind, isError }: GrowingMarker): number {
  return WEIGHT[kind] + (isError ? 10 : 0);
}

function markerOf({ id, kind, x, isError }: MarkerInput, index: number): GrowingMarker {
  return { x, kind, isError: isError === true, members: [{ index, id }] };
}
