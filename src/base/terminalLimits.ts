/** Terminals with more columns or rows are reduced to this many, because each cell takes memory. */
export const MAX_TERMINAL_SIDE = 2000;

/** Higher counts are reduced to this one; no program repeats a character more often on purpose. */
const MAX_REPEATED_CHARACTERS = 0xffff;

/**
 * The part of xterm's parser that can change the parameters of a sequence before xterm executes it.
 */
export interface SequenceParser {
  registerCsiHandler(
    id: { readonly final: string },
    handler: (sequence: { readonly params: Int32Array }) => boolean,
  ): unknown;
}

export interface RepetitionLimits {
  readonly rows: number;
  readonly cols: number;
  /**
   * Reduces the count of a repeated character to a smaller one with the same effect on this screen.
   */
  readonly characters?: (count: number) => number;
}

/**
 * Limits the counts of sequences that xterm would repeat up to 2^31 times, which takes minutes.
 * Counts larger than the screen have no further effect and are reduced to its size. Counts of
 * repeated characters are reduced to what programs use.
 */
export function limitRepetition(parser: SequenceParser, limits: () => RepetitionLimits): void {
  const limit = (finals: string, limited: (count: number, limits: RepetitionLimits) => number) => {
    for (const final of finals) {
      parser.registerCsiHandler({ final }, ({ params }) => {
        params[0] = limited(params[0] ?? 0, limits());
        return false;
      });
    }
  };
  limit('LMST', (count, { rows }) => Math.min(count, rows));
  limit('IZ', (count, { cols }) => Math.min(count, cols));
  limit('b', (count, { characters }) => {
    const most = Math.min(count, MAX_REPEATED_CHARACTERS);
    return characters?.(most) ?? most;
  });
}

/**
 * Longer links are ignored: each cell may have its own link, and every saved state contains all
 * links.
 */
const MAX_LINK_LENGTH = 4096;

/** The part of a terminal's parser that can intercept operating system commands. */
export interface OscParser {
  registerOscHandler(identifier: number, handler: (data: string) => boolean): unknown;
}

/** Ignores hyperlinks that are too long. */
export function limitLinks(parser: OscParser): void {
  parser.registerOscHandler(8, (data) => data.length > MAX_LINK_LENGTH);
}

/**
 * Returns the smallest count with the same result on a screen without scrollback. After a
 * screenful, only the length of the last row depends on the count.
 */
export function repeatedOnScreen(count: number, cols: number, rows: number): number {
  const screenful = cols * (rows + 1);
  return count <= screenful ? count : screenful + ((count - screenful) % cols);
}
