/** Text attributes, as bits. */
export const STYLE = {
  bold: 1,
  dim: 2,
  italic: 4,
  underline: 8,
  blink: 16,
  inverse: 32,
  hidden: 64,
  strike: 128,
  overline: 256,
} as const;

/** The default color of the terminal. */
export const DEFAULT_COLOR = -1;
/** Added to an RGB color (0xrrggbb); lower values are palette indexes. */
export const TRUE_COLOR = 0x1000000;

/** Consecutive characters with the same style. */
export interface StyledRun {
  readonly text: string;
  readonly foreground: number;
  readonly background: number;
  /** Bits of {@link STYLE}. */
  readonly style: number;
}

const PLAIN = { foreground: DEFAULT_COLOR, background: DEFAULT_COLOR, style: 0 };

const STYLE_OF_PARAMETER = new Map<number, number>([
  [1, STYLE.bold],
  [2, STYLE.dim],
  [3, STYLE.italic],
  [4, STYLE.underline],
  [5, STYLE.blink],
  [7, STYLE.inverse],
  [8, STYLE.hidden],
  [9, STYLE.strike],
  [53, STYLE.overline],
]);

const SEQUENCE = /\x1b(?:\[([\d;:]*)m|\]8;[^\x1b]*\x1b\\)/g;

/** Parses the output of `styledText`, whose SGR sequences set all attributes. Ignores links. */
export function styledRuns(styled: string): StyledRun[] {
  const runs: StyledRun[] = [];
  let style = PLAIN;
  let from = 0;
  const add = (to: number): void => {
    if (to > from) runs.push({ text: styled.slice(from, to), ...style });
  };
  for (const match of styled.matchAll(SEQUENCE)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[1] !== undefined) style = styleOf(match[1]);
  }
  add(styled.length);
  return runs;
}

function styleOf(sequence: string): typeof PLAIN {
  const result = { ...PLAIN };
  const parameters = sequence.split(';');
  for (let at = 0; at < parameters.length; at++) {
    // Ignores subparameters, such as `4:3` for a curly underline.
    const code = Number.parseInt(parameters[at] ?? '', 10);
    const style = STYLE_OF_PARAMETER.get(code);
    if (style !== undefined) result.style |= style;
    else if (code === 38 || code === 48) {
      const isPalette = parameters[at + 1] === '5';
      const values = parameters.slice(at + 2, at + (isPalette ? 3 : 5)).map(Number);
      const color = isPalette ? (values[0] ?? 0) : TRUE_COLOR + rgb(values);
      if (code === 38) result.foreground = color;
      else result.background = color;
      at += 1 + values.length;
    } else if (code >= 30 && code < 38) result.foreground = code - 30;
    else if (code >= 90 && code < 98) result.foreground = code - 82;
    else if (code >= 40 && code < 48) result.background = code - 40;
    else if (code >= 100 && code < 108) result.background = code - 92;
  }
  return result;
}

function rgb([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return (red << 16) | (green << 8) | blue;
}
