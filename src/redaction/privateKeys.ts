import type { SecretRange } from './secretRanges.ts';

/** In PEM and its relatives, and in PuTTY's own way. */
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: \d+/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-MAC: ?[0-9a-f]*/g;
/** Only lines of a key have such words: small and capital letters and digits in one. */
const KEY_WORD =
  /(?=[A-Z0-9+/=]{0,60}[a-z])(?=[a-z0-9+/=]{0,60}[A-Z])(?=[A-Za-z+/=]{0,60}\d)[A-Za-z0-9+/=]{16}/;
/** A screen may draw other lines between those of a key; after so many without one it was only spoken of. */
const MAX_OTHER_LINES = 10;
/** Those of PGP are as long as the pictures in them. */
const MAX_CHARACTERS = 128 * 1024;

/** Where private keys are in a text that may go on: one without an end reaches to the end of the text. */
export function privateKeyRanges(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  let behind = 0;
  for (const { index, 0: begin } of text.matchAll(BEGIN)) {
    if (index < behind) continue;
    behind = endOfKey(text, index + begin.length);
    ranges.push([index, behind]);
  }
  return ranges;
}

function endOfKey(text: string, start: number): number {
  END.lastIndex = start;
  const end = END.exec(text);
  if (end && end.index - start < MAX_CHARACTERS) return end.index + end[0].length;
  let last = start;
  let others = 0;
  let newline = text.indexOf('\n', start);
  while (newline >= 0) {
    const next = text.indexOf('\n', newline + 1);
    // The last line may go on.
    if (next < 0) break;
    const line = text.slice(newline + 1, next).trim();
    newline = next;
    if (KEY_WORD.test(line)) {
      others = 0;
      last = newline;
    } else if (line !== '' && ++others > MAX_OTHER_LINES) return last;
  }
  return text.length;
}

/** The same for lines that come one after the other: a key goes on from one to the next. */
export class KeyLines {
  /** How many lines in a row had nothing of a key; none outside of one. */
  #others: number | undefined;

  /** What of the next line belongs to a key. */
  take(line: string): SecretRange[] {
    END.lastIndex = 0;
    const end = END.exec(line);
    if (this.#others === undefined) {
      const ranges = privateKeyRanges(line);
      const last = ranges.at(-1);
      if (last && (!end || end.index < last[0])) this.#others = 0;
      return ranges;
    }
    if (end) {
      this.#others = undefined;
      return [[0, end.index + end[0].length]];
    }
    if (KEY_WORD.test(line)) this.#others = 0;
    else if (line.trim() !== '' && ++this.#others > MAX_OTHER_LINES) {
      this.#others = undefined;
      return [];
    }
    return line.trim() === '' ? [] : [[0, line.length]];
  }
}
