/**
 * JSON in which integers survive whole. Nanosecond times have 19 digits, more than a JavaScript number keeps, and the
 * files say them as plain digits: here they are `bigint`s.
 */
export type ExactValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly ExactValue[]
  | { readonly [key: string]: ExactValue };

/** Strings, and whole numbers: a part of a number must not be taken for one. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;
/** Cannot be the start of a string in the source: there U+0000 must be written as an escape. */
const MARK = '\u0000';

/** Integers that a number cannot hold come back as `bigint`. Throws what `JSON.parse` throws on malformed text. */
export function parseExactJson(text: string): ExactValue {
  if (text.includes(MARK)) throw new SyntaxError('U+0000 is not allowed in JSON');
  // A string that holds the mark as an escape would look like a marked number once parsed; its own escape is doubled apart.
  const marked = text.replace(TOKEN, (token) => {
    if (INTEGER.test(token) && !Number.isSafeInteger(Number(token))) return `"\\u0000n${token}"`;
    return token.replace(/\\(u0000|.)/g, (pair) => (pair === '\\u0000' ? '\\u0000s' : pair));
  });
  return JSON.parse(marked, (_key, value: unknown) => {
    if (typeof value !== 'string' || !value.includes(MARK)) return value;
    if (value.startsWith(`${MARK}n`)) return BigInt(value.slice(2));
    return value.replaceAll(`${MARK}s`, MARK);
  }) as ExactValue;
}

export function stringifyExactJson(value: ExactValue): string {
  try {
    // Many times as fast, for what has no large integer in it.
    return JSON.stringify(value ?? null);
  } catch {
    return stringifyByHand(value);
  }
}

function stringifyByHand(value: ExactValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(stringifyByHand).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `${JSON.stringify(key)}:${stringifyByHand(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
