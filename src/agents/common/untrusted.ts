import { parseExactJson, type ExactValue } from '../../base/exactJson.ts';

/** Parsed but unchecked JSON: agents change their formats often, so every field may be missing. */
export type Fields = Readonly<Record<string, ExactValue>>;

/**
 * Finds integers that a double may not hold exactly, except `MAX_SAFE_INTEGER`, which is common in
 * JSON schemas and does fit.
 */
const LONG_NUMBER = /[:,[]\s*-?(?!9007199254740991\D)\d{16}/;

/** Parses a line of JSON that is an object; undefined for anything else. Never throws. */
export function parseFields(line: string): Fields | undefined {
  try {
    // The exact parser is several times slower, and few lines need it.
    const value = LONG_NUMBER.test(line) ? parseExactJson(line) : (JSON.parse(line) as ExactValue);
    return isFields(value) ? value : undefined;
  } catch {
    // Not JSON.
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object, or an empty one for any other value. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns the objects in a list, or an empty list for any other value. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Joins the texts of parts such as `[{"type":"text","text":"…"}]`; also takes a plain string. */
export function joinedText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => textOf(part['text']) ?? '')
    .join('');
}

/** Converts an ISO time or milliseconds to nanoseconds since the epoch. */
export function timeNsOf(value: unknown): bigint | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) return undefined;
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
