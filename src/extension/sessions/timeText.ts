const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
const MILLISECONDS_PER_DAY = 86_400_000;

export function dateOf(tsNs: bigint): Date {
  return new Date(Number(tsNs / NANOSECONDS_PER_MILLISECOND));
}

/** Formats a duration for lists: `8 s`, `12 min`, `3 h 05 min`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Formats the time of day. */
export function clockText(date: Date, locale: string): string {
  return date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
}

/** Formats a start time: the time of day, with the day unless that is today. */
export function startText(date: Date, now: Date, locale: string): string {
  const clock = clockText(date, locale);
  if (daysBetween(date, now) === 0) return clock;
  const isThisYear = date.getFullYear() === now.getFullYear();
  const day = date.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
  return `${day}, ${clock}`;
}

/** Counts the midnights between two dates in local time. */
export function daysBetween(earlier: Date, later: Date): number {
  const midnight = (date: Date) =>
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / MILLISECONDS_PER_DAY;
  return midnight(later) - midnight(earlier);
}

export function dayText(date: Date, locale: string): string {
  return date.toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long' });
}

/** Formats a size: `812 B`, `1.4 MB`. */
export function bytesText(bytes: number, locale: string): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  const number = (bytes / 1000 ** power).toLocaleString(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return `${number} ${units[power - 1]}`;
}
