import type { SecretRange } from './secretPatterns.ts';

/** The first and last lines of private keys in PEM, similar formats and PuTTY's format. */
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: \d+/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-MAC: ?[0-9a-f]*/g;
/** Lines of a key contain long words that mix lower case, upper case and digits. */
const KEY_WORD =
  /(?=[A-Z0-9+/=]{0,60}[a-z])(?=[a-z0-9+/=]{0,60}[A-Z])(?=[A-Za-z+/=]{0,60}\d)[A-Za-z0-9+/=]{16}/;
/**
 * A screen may show other lines between the lines of a key. If there are more than this many, the
 * text only mentions a key.
 */
const MAX_OTHER_LINES = 10;
/** Maximum length of a key, which may be long, since PGP keys may contain pictures. */
const MAX_CHARACTERS = 128 * 1024;

/**
 * Finds private keys in a text that may be incomplete: a key without an end extends to the end of
 * the text.
 */
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
    // The last line may be incomplete.
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

/** Finds private keys in a text that is passed line by line. */
export class KeyLines {
  /** Number of lines since the last part of the key; undefined outside of a key. */
  #others: number | undefined;

  /** Returns the parts of the next line that belong to a key. */
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
