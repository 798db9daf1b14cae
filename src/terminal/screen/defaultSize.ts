/** Used if the size of the terminal is unknown. */
export const DEFAULT_TERMINAL_SIZE = { cols: 80, rows: 24 };
