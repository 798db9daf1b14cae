/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}
