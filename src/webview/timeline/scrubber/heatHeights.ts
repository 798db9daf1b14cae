/** Logarithmic heights, so that one burst of output does not hide everything else. */
export function scaledHeights(counts: readonly number[], maxHeight: number): number[] {
  const most = Math.log1p(Math.max(1, ...counts));
  return counts.map((count) => (Math.log1p(count) / most) * maxHeight);
}
