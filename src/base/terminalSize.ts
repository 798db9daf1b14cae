/** In characters. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}
