import { parseExactJson, stringifyExactJson, type ExactValue } from '../base/exactJson.ts';
import { REDACTED, redactSecrets } from './redact.ts';
import { isHarmless } from './secretPatterns.ts';
import { secretRanges } from './secretRanges.ts';

/** Names of JSON members whose values are always secret. */
const SECRET_MEMBER =
  /(?:password|passwd|passphrase|secret|api[-_]?key|access[-_]?key|account[-_]?key|private[-_]?key|(?:auth|access|refresh|session|id|api|bot)[-_]?token|authorization|cookie)$/i;
/** Long texts, such as pictures and whole files, are searched in pieces of this length. */
const PIECE_CHARACTERS = 256 * 1024;
const KEY_BEGIN = '-----BEGIN ';
const KEY_END = '-----END ';
const MAX_KEY_CHARACTERS = 16 * 1024;
/** Pieces end at least this far from any secret; it is longer than a secret and its name. */
const NEAR_CHARACTERS = 1024;

/** Redacts all texts of a value; returns the same object if they contain no secrets. */
export function redactValue(value: ExactValue, known: readonly string[]): ExactValue {
  if (typeof value === 'string') return redactText(value, known);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly ExactValue[] = value;
    const safe = items.map((item) => redactValue(item, known));
    return safe.every((item, index) => item === items[index]) ? items : safe;
  }
  const members = Object.entries(value as Readonly<Record<string, ExactValue>>);
  let hasChanged = false;
  const safe = members.map(([key, member]): [string, ExactValue] => {
    const isNamed = typeof member === 'string' && SECRET_MEMBER.test(key) && !isHarmless(member);
    const safeMember = isNamed ? REDACTED : redactValue(member, known);
    const safeKey = redactText(key, known);
    hasChanged ||= safeMember !== member || safeKey !== key;
    return [safeKey, safeMember];
  });
  return hasChanged ? Object.fromEntries(safe) : value;
}

/**
 * Redacts the values of a JSON line, or any other line as text. Returns a line without secrets
 * unchanged.
 */
export function redactLine(line: string, known: readonly string[]): string {
  let value: ExactValue;
  try {
    value = parseExactJson(line);
  } catch {
    // Not JSON.
    return redactText(line, known);
  }
  const safe = redactValue(value, known);
  return safe === value ? line : stringifyExactJson(safe);
}

export function redactText(text: string, known: readonly string[]): string {
  if (text.length <= PIECE_CHARACTERS) return redactSecrets(text, known);
  let safe = '';
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(text, at, known);
    safe += redactSecrets(text.slice(at, end), known);
    at = end;
  }
  return safe;
}

/**
 * Finds an end of the piece without a secret nearby: a secret that is cut in two, or separated from
 * its name, would not be recognized.
 */
function endOfPiece(text: string, start: number, known: readonly string[]): number {
  const most = start + PIECE_CHARACTERS;
  if (most >= text.length) return text.length;
  const piece = text.slice(start, most);
  const key = piece.lastIndexOf(KEY_BEGIN);
  const isKeyOpen = key > 0 && !piece.includes(KEY_END, key);
  // Keys are a few thousand characters long: a longer one without an end is not a key.
  if (isKeyOpen && piece.length - key < MAX_KEY_CHARACTERS) return start + key;
  for (let end = most; end > start + PIECE_CHARACTERS / 2; end -= 2 * NEAR_CHARACTERS) {
    const near = text.slice(end - NEAR_CHARACTERS, end + NEAR_CHARACTERS);
    if (secretRanges(near, known).length === 0) return end;
  }
  // There may be secrets everywhere, so cut between two words.
  return start + (Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n')) + 1 || piece.length);
}
