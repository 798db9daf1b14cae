/** How a run of characters looks, in bits. */
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

/** No colour of its own. */
export const DEFAULT_COLOR = -1;
/** Added to a true colour, 0xrrggbb; colours below are numbers of the palette. */
export const TRUE_COLOR = 0x1000000;

/** Characters that look the same. */
export interface StyledRun {
  readonly text: string;
  readonly foreground: number;
  readonly background: number;
  /** Of {@link STYLE}. */
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

/** Takes apart what `styledText` made: each colour sequence there says everything that is in force. Links are left out. */
export function styledRuns(styled: string): StyledRun[] {
  const runs: StyledRun[] = [];
  let look = PLAIN;
  let from = 0;
  const add = (to: number): void => {
    if (to > from) runs.push({ text: styled.slice(from, to), ...look });
  };
  for (const match of styled.matchAll(SEQUENCE)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[1] !== undefined) look = lookOf(match[1]);
  }
  add(styled.length);
  return runs;
}

function lookOf(sequence: string): typeof PLAIN {
  const look = { ...PLAIN };
  const parameters = sequence.split(';');
  for (let at = 0; at < parameters.length; at++) {
    // Subparameters, as of `4:3` for a curly underline, change no more than a detail.
    const code = Number.parseInt(parameters[at]!, 10);
    const style = STYLE_OF_PARAMETER.get(code);
    if (style !== undefined) look.style |= style;
    else if (code === 38 || code === 48) {
      const isPalette = parameters[at + 1] === '5';
      const values = parameters.slice(at + 2, at + (isPalette ? 3 : 5)).map(Number);
      const color = isPalette ? values[0]! : TRUE_COLOR + rgb(values);
      if (code === 38) look.foreground = color;
      else look.background = color;
      at += 1 + values.length;
    } else if (code >= 30 && code < 38) look.foreground = code - 30;
    else if (code >= 90 && code < 98) look.foreground = code - 82;
    else if (code >= 40 && code < 48) look.background = code - 40;
    else if (code >= 100 && code < 108) look.background = code - 92;
  }
  return look;
}

function rgb([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return (red << 16) | (green << 8) | blue;
}
