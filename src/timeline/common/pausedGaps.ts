import type { Pause } from '../../recording/read/pauses.ts';
import { millisecondsSince, type Gap } from './recordIndex.ts';

/**
 * Replaces the idle gaps during each pause with one gap for the pause. The terminal may be resized
 * in a pause, so one pause may have several such gaps.
 * @param startNs time of the first record
 */
export function withPauses(
  gaps: readonly Gap[],
  pauses: readonly Pause[],
  startNs: bigint,
  minMs: number,
): Gap[] {
  const paused = pauses.flatMap(({ fromNs, toNs }): Gap[] => {
    if (toNs === undefined) return [];
    const fromMs = Math.max(0, millisecondsSince(startNs, fromNs));
    const toMs = millisecondsSince(startNs, toNs);
    return toMs - fromMs < minMs ? [] : [{ fromMs, toMs, isPause: true }];
  });
  if (paused.length === 0) return [...gaps];
  const isPaused = (gap: Gap) =>
    paused.some(({ fromMs, toMs }) => gap.fromMs < toMs && gap.toMs > fromMs);
  const idle = gaps.filter((gap) => !isPaused(gap));
  return [...idle, ...paused].sort((a, b) => a.fromMs - b.fromMs);
}
