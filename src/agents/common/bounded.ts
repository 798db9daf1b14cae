import type { ExactValue } from '../../base/exactJson.ts';
import { stringifyExactJson } from '../../base/exactJson.ts';
import { plain } from '../../base/plainText.ts';
import { privateKeyRanges } from '../../redaction/privateKeys.ts';
import type { SecretRange } from '../../redaction/secretPatterns.ts';
import { secretRanges } from '../../redaction/secretRanges.ts';

/** Inputs of tools up to this size are stored unchanged. Commands and edits are far smaller. */
const MAX_INPUT_CHARACTERS = 256 * 1024;
/** The limit for each text in an input that is too long. */
const CUT_TEXT_CHARACTERS = 8 * 1024;
export const MAX_SUMMARY_CHARACTERS = 2000;
export const MAX_MESSAGE_CHARACTERS = 256 * 1024;
const MAX_TITLE_CHARACTERS = 200;

/** The longest secret that is one word; private keys are found separately. */
const MAX_WORD_CHARACTERS = 1024;
const NAME_CHARACTERS = 40;

/** Keeps the start of a text, which names its subject, and the end, where errors are. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const middle = Math.ceil(length * 0.6);
  const head = Math.max(0, outsideWord(text, middle, 'before'));
  const tail = outsideWord(text, text.length - (length - middle), 'behind');
  const mark = ` … ${tail - head} characters left out … `;
  return detached(text.slice(0, head) + mark + text.slice(tail));
}

/** Moves a cut out of the word or secret it falls in: half a secret would not be recognized. */
function outsideWord(text: string, at: number, side: 'before' | 'behind'): number {
  const keys = privateKeyRanges(text);
  let place = at;
  for (let moved = -1; moved !== place;) {
    moved = place;
    for (const [start, end] of [...wordsNear(text, place), ...keys]) {
      if (start < place && place < end) place = side === 'before' ? start : end;
    }
  }
  return place;
}

function wordsNear(text: string, at: number): SecretRange[] {
  const from = Math.max(0, at - MAX_WORD_CHARACTERS);
  const near = text.slice(from, at + MAX_WORD_CHARACTERS);
  const words = Array.from(near.matchAll(/\S+/g), ({ index, 0: word }): SecretRange => [
    index,
    index + word.length,
  ]);
  // Some secrets are recognized only by the name in front of them.
  const secrets = secretRanges(near, []).map(([start, end]): SecretRange => [
    start - NAME_CHARACTERS,
    end,
  ]);
  return [...words, ...secrets]
    .filter(([start, end]) => end - start < MAX_WORD_CHARACTERS)
    .map(([start, end]) => [start + from, end + from]);
}

/** Copies a text: a slice keeps the whole original string in memory. */
function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** A text in one line, short enough for a list. */
export function oneLine(text: string): string {
  const line = plain(text).replace(/\s+/g, ' ');
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  const end = outsideWord(line, MAX_TITLE_CHARACTERS - 1, 'before');
  return detached(`${line.slice(0, Math.max(0, end))}…`);
}

/** Returns an input unchanged, or with its texts shortened when it is too long. */
export function boundedInput(input: ExactValue): ExactValue {
  if (input === undefined) return null;
  if (stringifyExactJson(input).length <= MAX_INPUT_CHARACTERS) return input;
  return cut(input, 0);
}

function cut(value: ExactValue, depth: number): ExactValue {
  if (typeof value === 'string') return shortened(value, CUT_TEXT_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 3) return '…';
  if (Array.isArray(value)) {
    return value.slice(0, 20).map((item: ExactValue) => cut(item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 20)
      .map(([key, member]) => [key, cut(member, depth + 1)]),
  );
}
