import { PrefixMatcher, type MatchedPrefix } from './prefixMatcher.ts';

/**
 * Beginnings within this many bytes of output before or after the whole text may belong to its
 * typing. An agent that redraws its screen needs minutes for that much output.
 */
const REACH_BYTES = 4 * 1024 * 1024;
/** Limits the memory; single letters are frequent. */
const MAX_WAITING = 50_000;
/** Beginnings of this length near the text are removed wherever they are drawn. */
const LONG = 8;
/** Shorter beginnings within a word are taken for other words. */
const SHORT = 4;
/** A beginning of this share of the text gives the text away, so it is removed anywhere. */
const REVEALING_SHARE = 0.8;

/**
 * Finds the beginnings of a text that a program drew while the text was typed: many programs redraw
 * their input line at each key. Such a beginning is near the whole text and drawn at the same
 * place, that is, after the same bytes.
 */
export class TypedText {
  readonly #matcher: PrefixMatcher;
  readonly #length: number;
  readonly #places = new Set<number>();
  #waiting: MatchedPrefix[] = [];
  #wholeAt = -Infinity;

  constructor(text: Uint8Array) {
    this.#length = text.length;
    this.#matcher = new PrefixMatcher(text);
  }

  /** @param before the four bytes of the output before this one @returns what to remove */
  push(byte: number, offset: number, before: number): readonly MatchedPrefix[] {
    const found = this.#matcher.push(byte, offset, before);
    return found.length === 0
      ? found
      : found.flatMap((each) => this.#add(withoutOtherWord(each), offset));
  }

  /** Ends the stream. */
  end(): readonly MatchedPrefix[] {
    return this.#matcher.end().flatMap((each) => this.#add(each, each.offsets[0] ?? 0));
  }

  #add(found: MatchedPrefix, offset: number): MatchedPrefix[] {
    if (found.isWhole) {
      this.#places.add(found.before);
      this.#wholeAt = offset;
      const near = this.#waiting.filter((each) => isNear(each, offset) && this.#isTyped(each));
      this.#waiting = [];
      return near;
    }
    const { length } = found.offsets;
    if (length >= LONG && length >= this.#length * REVEALING_SHARE) return [found];
    if (length < SHORT && found.isInWord) return [];
    if (offset - this.#wholeAt <= REACH_BYTES && this.#isTyped(found)) return [found];
    this.#waiting.push(found);
    if (this.#waiting.length > 2 * MAX_WAITING) this.#waiting.splice(0, MAX_WAITING);
    return [];
  }

  #isTyped({ offsets, before }: MatchedPrefix): boolean {
    return offsets.length >= LONG || this.#places.has(before);
  }
}

/** Of a wrapped beginning, the last letters may be the beginning of a word on the next line. */
function withoutOtherWord(found: MatchedPrefix): MatchedPrefix {
  const { offsets } = found;
  let start = offsets.length - 1;
  // `!`: both are within the array.
  while (start > 0 && offsets[start - 1]! + 1 === offsets[start]!) start--;
  if (!found.isInWord || start === 0 || offsets.length - start >= SHORT) return found;
  return { ...found, offsets: offsets.slice(0, start), isInWord: false };
}

function isNear({ offsets }: MatchedPrefix, offset: number): boolean {
  return offset - (offsets[0] ?? 0) <= REACH_BYTES;
}
