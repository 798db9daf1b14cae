import { BEGUN, HINT } from '../../redaction/secretPatterns.ts';
import type { SecretRange } from '../../redaction/secretPatterns.ts';
import { knownRanges } from '../../redaction/secretRanges.ts';
import { FRAME, linesOf, type Part } from './linesOf.ts';

/** A key, or the start of one, at the end of a line. */
const BEGUN_AT_END = new RegExp(`(?:${HINT.source})[\\w.-]* *${FRAME} *\n`);
/** Each line of a wrapped secret has at least this many of its characters. */
const PART_CHARACTERS = 4;
/** The part of a key on the next line. Unlike a word, it is long or has a digit. */
const CONTINUATION = /^(?:(?=[A-Za-z_+/=.-]*\d)[\w+/=.-]{6,}|[\w+/=.-]{16,})/;
/** The length of the shortest keys. */
const MIN_CHARACTERS = 20;

/**
 * Finds secrets that continue on the next line: programs that draw their own lines also wrap long
 * text themselves.
 */
export function wrappedSecrets(text: string, known: readonly string[]): SecretRange[] {
  if (!text.includes('\n')) return [];
  const hasBegun = BEGUN_AT_END.test(text);
  const possible = known.flatMap((secret) => {
    const letters = secret.replaceAll(/\s/g, '');
    return letters !== secret || mayHave(text, letters) ? [letters] : [];
  });
  if (possible.length === 0 && !hasBegun) return [];
  const lines = linesOf(text);
  return [
    ...(hasBegun ? wrappedTokens(lines) : []),
    ...(possible.length > 0 ? wrappedKnown(new Joined(withoutBlanks(lines)), possible) : []),
  ];
}

/**
 * Quick test: does the text contain the secret's first four characters, or the next four if a line
 * break splits the first?
 */
function mayHave(text: string, secret: string): boolean {
  const parts = [0, PART_CHARACTERS].map((at) => secret.slice(at, at + PART_CHARACTERS));
  return parts.some((part) => text.includes(part));
}

/** The words of a text without the space between them. */
class Joined {
  readonly parts: readonly Part[];
  readonly text: string;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.text = parts.map((part) => part.text).join('');
  }

  /** Maps a range of the joined text to its parts. */
  pieces([start, end]: SecretRange): Part[] {
    const pieces: Part[] = [];
    let at = 0;
    for (const part of this.parts) {
      const from = Math.max(start - at, 0);
      const to = Math.min(end - at, part.text.length);
      if (from < to) pieces.push({ text: part.text.slice(from, to), start: part.start + from });
      at += part.text.length;
      if (at >= end) break;
    }
    return pieces;
  }
}

/** Keys that reach the end of their line, with their parts on the following lines. */
function wrappedTokens(lines: readonly Part[]): SecretRange[] {
  return lines.flatMap((line, index) => {
    const begin = HINT.test(line.text) ? BEGUN.map((each) => each.exec(line.text)) : [];
    const start = Math.min(...begin.flatMap((match) => match?.index ?? []));
    if (!Number.isFinite(start)) return [];
    const pieces: SecretRange[] = [[line.start + start, line.start + line.text.length]];
    for (const next of lines.slice(index + 1)) {
      const piece = CONTINUATION.exec(next.text)?.[0];
      if (piece === undefined) break;
      pieces.push([next.start, next.start + piece.length]);
      if (piece.length < next.text.length) break;
    }
    const length = pieces.reduce((sum, [from, to]) => sum + to - from, 0);
    return pieces.length > 1 && length >= MIN_CHARACTERS ? pieces : [];
  });
}

function wrappedKnown(joined: Joined, known: readonly string[]): SecretRange[] {
  return knownRanges(joined.text, known).flatMap((range) => joined.pieces(range).map(rangeOf));
}

function rangeOf({ text, start }: Part): SecretRange {
  return [start, start + text.length];
}

function withoutBlanks(lines: readonly Part[]): Part[] {
  return lines.flatMap(({ text, start }) =>
    [...text.matchAll(/[^ ]+/g)].map(({ index, 0: word }) => ({
      text: word,
      start: start + index,
    })),
  );
}
