import { BEGUN, HINT } from '../../redaction/secretPatterns.ts';
import { knownRanges, type SecretRange } from '../../redaction/secretRanges.ts';

/** A line's end, with the blanks and the frame around it, in a text that has a character for each byte. */
const FRAME = String.raw`(?:\xe2\x94[\x82\x83]|\xe2\x95\x91|\xe2\x8e\xbf|\|)?`;
const BREAK = new RegExp(` *${FRAME} *\n[\n ]*${FRAME} *`, 'g');
/** A key, or its beginning, at the end of a line. */
const BEGUN_AT_END = new RegExp(`(?:${HINT.source})[\\w.-]* *${FRAME} *\n`);
/** A line is wide enough for so many letters of a secret. */
const PART_CHARACTERS = 4;
/** What goes on in the next line looks like no word. */
const CONTINUATION = /^(?:(?=[A-Za-z_+/=.-]*\d)[\w+/=.-]{6,}|[\w+/=.-]{16,})/;
/** No key is shorter. */
const MIN_CHARACTERS = 20;

/**
 * Where secrets are that go on in the next line, for a program that draws its own lines wraps what is too long.
 *
 * @param known secrets that are known as such
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

/** Its first letters, or those behind them where a line ends among the first: anything else costs time for nothing. */
function mayHave(text: string, secret: string): boolean {
  const parts = [0, PART_CHARACTERS].map((at) => secret.slice(at, at + PART_CHARACTERS));
  return parts.some((part) => text.includes(part));
}

/** A part of a text, and where it begins. */
interface Part {
  readonly text: string;
  readonly start: number;
}

/** Words of a text without what is between them. */
class Joined {
  readonly parts: readonly Part[];
  readonly text: string;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.text = parts.map((part) => part.text).join('');
  }

  /** What a range of the joined text is in the parts. */
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

/** A key that reaches to the end of its line, with the lines that it fills, and the beginning of the one in which it ends. */
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

function linesOf(text: string): Part[] {
  const lines: Part[] = [];
  let start = 0;
  for (const { index, 0: all } of text.matchAll(BREAK)) {
    lines.push({ text: text.slice(start, index), start });
    start = index + all.length;
  }
  lines.push({ text: text.slice(start), start });
  return lines;
}

function withoutBlanks(lines: readonly Part[]): Part[] {
  return lines.flatMap(({ text, start }) =>
    [...text.matchAll(/[^ ]+/g)].map(({ index, 0: word }) => ({
      ...{ text: word, start: start + index },
    })),
  );
}
