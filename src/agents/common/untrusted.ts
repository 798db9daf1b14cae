import { parseExactJson, type ExactValue } from '../../base/exactJson.ts';

/** Transcripts and hooks are written by programs that change every week: what is not there reads as undefined. */
export type Fields = Readonly<Record<string, ExactValue>>;

/** A number of this many digits may be more than a JavaScript number holds. The largest that it does is in many a schema. */
const LONG_NUMBER = /[:,[]\s*-?(?!9007199254740991\D)\d{16}/;

/** A line of JSON that holds an object, undefined for anything else. Never throws. */
export function parseFields(line: string): Fields | undefined {
  try {
    // The exact parser costs several times as much, and few lines need it.
    const value = LONG_NUMBER.test(line) ? parseExactJson(line) : (JSON.parse(line) as ExactValue);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty where there is no object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The objects of a list, empty where there is no list. */
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

/** The text in a list of parts such as `[{"type":"text","text":"…"}]`, or a text alone. */
export function joinedText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => textOf(part['text']) ?? '')
    .join('');
}

/** Nanoseconds since the epoch of an ISO time or of milliseconds. */
export function timeNsOf(value: unknown): bigint | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) return undefined;
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
