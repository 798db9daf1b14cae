import { parseExactJson, stringifyExactJson, type ExactValue } from '../base/exactJson.ts';
import { REDACTED, redactSecrets } from './redact.ts';
import { isHarmless } from './secretPatterns.ts';
import { secretRanges } from './secretRanges.ts';

/** A member of this name holds a secret, whatever it looks like. */
const SECRET_MEMBER =
  /(?:password|passwd|passphrase|secret|api[-_]?key|access[-_]?key|account[-_]?key|private[-_]?key|(?:auth|access|refresh|session|id|api|bot)[-_]?token|authorization|cookie)$/i;
/** Pictures and whole files come in one text; they are looked through in pieces. */
const PIECE_CHARACTERS = 256 * 1024;
const KEY_BEGIN = '-----BEGIN ';
const KEY_END = '-----END ';
const MAX_KEY_CHARACTERS = 16 * 1024;
/** Longer than a secret with its name. */
const NEAR_CHARACTERS = 1024;

/** The same value without secrets in its texts; the value itself where there are none. */
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

/** A line of JSON stays one; of any other line the text is redacted. A line without secrets stays as it is. */
export function redactLine(line: string, known: readonly string[]): string {
  let value: ExactValue;
  try {
    value = parseExactJson(line);
  } catch {
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

/** Where no secret is near: one that is cut in two, or from its name, is none any more by its looks. */
function endOfPiece(text: string, start: number, known: readonly string[]): number {
  const most = start + PIECE_CHARACTERS;
  if (most >= text.length) return text.length;
  const piece = text.slice(start, most);
  const key = piece.lastIndexOf(KEY_BEGIN);
  const isKeyOpen = key > 0 && !piece.includes(KEY_END, key);
  // A key is a few thousand characters at most: what is open for longer is none.
  if (isKeyOpen && piece.length - key < MAX_KEY_CHARACTERS) return start + key;
  for (let end = most; end > start + PIECE_CHARACTERS / 2; end -= 2 * NEAR_CHARACTERS) {
    const near = text.slice(end - NEAR_CHARACTERS, end + NEAR_CHARACTERS);
    if (secretRanges(near, known).length === 0) return end;
  }
  // Nothing but secrets, or what looks like them: between two words.
  return start + (Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n')) + 1 || piece.length);
}
