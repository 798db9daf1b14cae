import { privateKeyRanges } from './privateKeys.ts';
import {
  BEGUN,
  BEGUN_NAMED,
  isHarmless,
  NAMED,
  PATTERNS,
  type SecretRange,
} from './secretPatterns.ts';

/** If fewer characters match the start of a known secret, it may be a coincidence. */
const MIN_BEGUN_CHARACTERS = 4;

/**
 * Finds secrets in a text that may be incomplete: the start of a secret at its end counts as a
 * secret.
 *
 * @param known literal secrets, such as values of environment variables
 */
export function secretRanges(text: string, known: readonly string[]): SecretRange[] {
  const ranges = [...knownRanges(text, known), ...privateKeyRanges(text)];
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      ranges.push([match.index, match.index + match[0].length]);
    }
  }
  for (const pattern of BEGUN) {
    const match = pattern.exec(text);
    if (match) ranges.push([match.index, text.length]);
  }
  for (const pattern of NAMED) {
    for (const { index, 0: all, 1: name = '', 2: value = '' } of text.matchAll(pattern)) {
      if (!isHarmless(value)) ranges.push([index + name.length, index + all.length]);
    }
  }
  for (const pattern of BEGUN_NAMED) {
    const match = pattern.exec(text);
    if (match) ranges.push([match.index + (match[1] ?? '').length, text.length]);
  }
  return ranges;
}

/** Finds known secrets in a text, and the start of one at its end. */
export function knownRanges(text: string, known: readonly string[]): SecretRange[] {
  return known.flatMap((secret) => [...placesOf(text, secret), ...begunAtEnd(text, secret)]);
}

function placesOf(text: string, secret: string): SecretRange[] {
  const places: SecretRange[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    places.push([at, at + secret.length]);
  }
  return places;
}

/** Finds the longest start of a secret with which the text ends. */
export function begunAtEnd(text: string, secret: string): SecretRange[] {
  const most = Math.min(secret.length - 1, text.length);
  for (let length = most; length >= MIN_BEGUN_CHARACTERS; length--) {
    if (text.endsWith(secret.slice(0, length))) return [[text.length - length, text.length]];
  }
  return [];
}
