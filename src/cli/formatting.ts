/** Marks each changed file in a list, as git does. */
export const CHANGE_LETTERS = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  'type-changed': 'T',
} as const;

/** `0.4 s`, `41 s`, `12:41`, `1 h 04`. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${twoDigits(Math.floor(seconds % 60))}`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)}`;
}

/** `2026-01-31 14:32:07`, local time. */
export function formatTime(tsNs: bigint): string {
  const date = new Date(Number(tsNs / 1_000_000n));
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join(
    '-',
  );
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  return `${day} ${time}`;
}

export function secondsBetween(fromNs: bigint, toNs: bigint): number {
  return Number(toNs - fromNs) / 1e9;
}

/** `1 block`, `2 blocks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Replaces control characters, so that a title or a command can't change the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
}

/** Pads each column to its widest cell, except the last. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell))
        .join('  '),
    )
    .join('\n');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
