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
  const byKind = new Map<MomentKind, Marker[]>();
  for (const moment of moments) {
    const row = byKind.get(moment.kind) ?? [];
    byKind.set(moment.kind, row);
    gather(row, markerOf(moment), minDistance);
  }
  const order = new Map(moments.map(({ id }, index) => [id, index]));
  const all = [...byKind.values()].flat().sort((a, b) => a.x - b.x);
  const placed: Marker[] = [];
  for (const marker of all) gather(placed, marker, minDistance);
  return placed.map((marker) => ({
    ...marker,
    ids: [...marker.ids].sort((a, b) => order.get(a)! - order.get(b)!),
  }));
}

function gather(row: Marker[], next: Marker, minDistance: number): void {
  const last = row.at(-1);
  if (!last || next.x - last.x >= minDistance) {
    row.push(next);
    return;
  }
  const { kind } = weightOf(next) > weightOf(last) ? next : last;
  const isError = last.isError || next.isError;
  // It stays where the first one was: a place that moved with its number would reach the next mark.
  row[row.length - 1] = { x: last.x, kind, isError, ids: [...last.ids, ...next.ids] };
}

/** What went wrong matters more than anything that went well. */
function weightOf({ kind, isError }: Marker): number {
  return WEIGHT[kind] + (isError ? 10 : 0);
}

function markerOf({ id, kind, x, isError }: MarkerInput): Marker {
  return { x, kind, isError: isError === true, ids: [id] };
}
