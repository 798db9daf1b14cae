import { stringifyExactJson, type ExactValue } from '../../../base/exactJson.ts';

/**
 * A short key for a value, independent of the order of its fields. 53 bits are enough for the
 * facts of one session; the key is not used for security.
 */
export function contentKey(value: ExactValue): string {
  return hash53(stringifyExactJson(sorted(value))).toString(36);
}

function sorted(value: ExactValue): ExactValue {
  if (Array.isArray(value)) return value.map((item: ExactValue) => sorted(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

/** Combines two multiplicative hashes into 53 bits, which a JavaScript number holds exactly. */
export function hash53(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0);
}
