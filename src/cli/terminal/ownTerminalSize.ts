import { DEFAULT_TERMINAL_SIZE } from '../../terminal/screen/defaultSize.ts';

/**
 * @returns a default size if there is no terminal, or if it reports 0 × 0, as in some containers
 */
export function ownTerminalSize(): { cols: number; rows: number } {
  const { isTTY, columns, rows } = process.stdout;
  return isTTY && columns > 0 && rows > 0 ? { cols: columns, rows } : DEFAULT_TERMINAL_SIZE;
}
