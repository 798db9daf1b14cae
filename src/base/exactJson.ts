/**
 * JSON without loss of integers. Our files contain times in nanoseconds as plain numbers of 19
 * digits, more than a JavaScript number can hold: here they are `bigint`s.
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

/**
 * Matches strings and complete numbers, so that digits in a string or a fraction are not replaced.
 */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;
/**
 * Begins the strings that stand for large integers while parsing. JSON text contains U+0000 only as
 * an escape.
 */
const MARK = '\u0000';

/** Returns integers beyond the safe range as `bigint`. Throws a SyntaxError like `JSON.parse`. */
export function parseExactJson(text: string): ExactValue {
  if (text.includes(MARK)) throw new SyntaxError('U+0000 is not allowed in JSON');
  // A string that contains U+0000 as an escape would look like a marked number, so it is marked
  // differently.
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
    // Many times faster than our own code, but it throws if the value contains a `bigint`.
    return JSON.stringify(value ?? null);
  } catch {
    // The value contains a `bigint`.
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
