/** Lines, boxes and bars that programs draw around what they say. */
const FRAME_START = /^(?:\s*[\u2500-\u259f]+ ?)+/u;
const FRAME_END = /[\s\u2500-\u259f]+$/u;
/** Nothing but that, or the dots of an animation. */
const DRAWN = /^[\s\u2500-\u259f\u2800-\u28ff]*$/u;
const NO_LETTERS = /[^\p{L}]+/gu;

export interface ReadableLine {
  readonly text: string;
  /** Of the first row that it is in. */
  readonly row: number;
}

/** Rows of a screen as lines to read: those that go on in the next row joined, frames and what is only drawn left out. */
export function readable(rows: readonly { text: string; isWrapped: boolean }[]): ReadableLine[] {
  const lines: { text: string; row: number }[] = [];
  for (const [row, { text, isWrapped }] of rows.entries()) {
    const last = lines.at(-1);
    if (isWrapped && last) last.text += text;
    else lines.push({ text, row });
  }
  return lines
    .filter(({ text }) => !DRAWN.test(text))
    .map(({ text, row }) => ({ text: text.replace(FRAME_END, '').replace(FRAME_START, ''), row }));
}

/** What stays of a line that counts seconds or turns a wheel. */
export function lettersOf(line: string): string {
  return line.replace(NO_LETTERS, '');
}
