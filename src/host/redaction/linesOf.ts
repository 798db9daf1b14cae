/** The side of a frame around text, such as `│`, if any. In Latin-1: one character per byte. */
export const FRAME = String.raw`(?:\xe2\x94[\x82\x83]|\xe2\x95\x91|\xe2\x8e\xbf|\|)?`;
/** A line end, with the blanks and frame characters around it. */
const BREAK = new RegExp(` *${FRAME} *\n[\n ]*${FRAME} *`, 'g');

/** A part of a text, and where it starts. */
export interface Part {
  readonly text: string;
  readonly start: number;
}

/** The lines of a text without the frames around them. */
export function linesOf(text: string): Part[] {
  const lines: Part[] = [];
  let start = 0;
  for (const { index, 0: all } of text.matchAll(BREAK)) {
    lines.push({ text: text.slice(start, index), start });
    start = index + all.length;
  }
  lines.push({ text: text.slice(start), start });
  return lines;
}
