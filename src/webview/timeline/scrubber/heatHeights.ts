/** One flood must not make everything else invisible: heights grow with the logarithm. */
export function scaledHeights(counts: readonly number[], maxHeight: number): number[] {
  const most = Math.log1p(Math.max(1, ...counts));
  return counts.map((count) => (Math.log1p(count) / most) * maxHeight);
}
