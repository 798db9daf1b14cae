/** No terminal has more columns or rows; what claims to is cut to this, since each cell costs memory. */
export const MAX_TERMINAL_SIDE = 2000;

/** Beyond this a repeated character is nothing that a program means. */
const MAX_REPEATED_CHARACTERS = 0xffff;

/** Of xterm's parser, what can change the numbers of a sequence before it is carried out. */
export interface SequenceParser {
  registerCsiHandler(
    id: { readonly final: string },
    handler: (sequence: { readonly params: Int32Array }) => boolean,
  ): unknown;
}

export interface RepetitionLimits {
  readonly rows: number;
  readonly cols: number;
  /** A character repeated so often comes to the same on this screen as one repeated less often. */
  readonly characters?: (count: number) => number;
}

/**
 * xterm does what some sequences say as often as they say, up to 2^31 times, and would be busy for minutes. Beyond the size of
 * the screen it makes no difference; for a repeated character the limit is one that no program means to reach.
 */
export function limitRepetition(parser: SequenceParser, limits: () => RepetitionLimits): void {
  const limit = (finals: string, limited: (count: number, limits: RepetitionLimits) => number) => {
    for (const final of finals) {
      parser.registerCsiHandler({ final }, ({ params }) => {
        params[0] = limited(params[0]!, limits());
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

/** Longer than any address that a browser opens; each cell of a screen may have its own, and every state says all of them. */
const MAX_LINK_LENGTH = 4096;

/** Of a terminal, what can keep a command of an operating system from it. */
export interface OscParser {
  registerOscHandler(identifier: number, handler: (data: string) => boolean): unknown;
}

/** A hyperlink that is too long is as if nobody had begun it. */
export function limitLinks(parser: OscParser): void {
  parser.registerOscHandler(8, (data) => data.length > MAX_LINK_LENGTH);
}

/** For a screen that keeps nothing that has left it: a screenful, and what then makes the last row. */
export function repeatedOnScreen(count: number, cols: number, rows: number): number {
  const screenful = cols * (rows + 1);
  return count <= screenful ? count : screenful + ((count - screenful) % cols);
}
