/** Where nobody says how large the terminal is or was. */
export const DEFAULT_TERMINAL_SIZE = { cols: 80, rows: 24 };
