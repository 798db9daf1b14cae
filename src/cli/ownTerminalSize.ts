import { DEFAULT_TERMINAL_SIZE } from '../terminal/screen/defaultSize.ts';

/** The size of the terminal we run on. Off a terminal, and on one that knows no size (0 × 0, as in many a container), a usual one. */
export function ownTerminalSize(): { cols: number; rows: number } {
  const { isTTY, columns, rows } = process.stdout;
  return isTTY && columns > 0 && rows > 0 ? { cols: columns, rows } : DEFAULT_TERMINAL_SIZE;
}
