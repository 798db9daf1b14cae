import { language } from './pageLanguage.ts';

/** Formats a position, such as `0:07`, `12:07.4` or `1:02:03`. */
export function positionText(timeMs: number, hasTenths = false): string {
  const tenths = Math.floor(Math.max(0, timeMs) / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const start = hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`;
  return `${start}:${two(seconds % 60)}${hasTenths ? `.${tenths % 10}` : ''}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}

/** The time of day at a position of the recording. */
export function clockText(startNs: string, timeMs: number): string {
  const date = new Date(Number(BigInt(startNs) / 1_000_000n) + timeMs);
  return date.toLocaleTimeString(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}
