/** Formats a duration, such as `8 s`, `9 min` or `1 h 04 min`. */
export function spanText(spanMs: number): string {
  const seconds = Math.round(spanMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
