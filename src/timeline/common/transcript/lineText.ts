import type { TextRow } from '../changingScreen.ts';

/** Lines, boxes and bars that programs draw around text. */
const FRAME_START = /^(?:\s*[\u2500-\u259f]+ ?)+/u;
const FRAME_END = /[\s\u2500-\u259f]+$/u;
/** A row that has only box drawing or the dots of an animation. */
const DRAWN = /^[\s\u2500-\u259f\u2800-\u28ff]*$/u;
/** Longer lines are cut, since they make editors slow. */
export const MAX_LINE_LENGTH = 2000;
const NO_LETTERS = /[^\p{L}]+/gu;

export interface ReadableLine {
  readonly text: string;
  /** The first row of the line; negative if it starts above the screen. */
  readonly row: number;
}

/** A line that was on the screen. */
export interface HistoryLine {
  readonly text: string;
  /** Reading order: by time of appearance; from top to bottom for lines that appeared together. */
  readonly order: number;
  /** Byte offset after the record that first showed it; ascends with the order. */
  readonly firstByte: number;
  /** Byte offset after the record that last wrote it. */
  readonly lastByte: number;
  /** When it first appeared. */
  readonly tsNs: bigint;
  /** When it was last written. */
  readonly lastNs: bigint;
}

/** Converts rows of a screen to lines of text: joins wrapped rows, removes frames and drawings. */
export function readableLines(rows: readonly TextRow[]): ReadableLine[] {
  const lines: { text: string; row: number }[] = [];
  for (const [row, { text, isWrapped }] of rows.entries()) {
    const last = lines.at(-1);
    if (isWrapped && last) last.text += text;
    else lines.push({ text, row });
  }
  return lines
    .filter(({ text }) => !DRAWN.test(text))
    .map(({ text, row }) => ({
      text: text.slice(0, MAX_LINE_LENGTH).replace(FRAME_END, '').replace(FRAME_START, ''),
      row,
    }));
}

/** The letters of a line, which stay the same while it counts seconds or shows a spinner. */
export function lettersOf(line: string): string {
  return line.replace(NO_LETTERS, '');
}
