/** No terminal has more columns or rows; what claims to is cut to this, since each cell costs memory. */
export const MAX_TERMINAL_SIDE = 2000;
