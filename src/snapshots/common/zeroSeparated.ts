import { pathFromBytes, pathToBytes } from './pathBytes.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Splits the output of a program with `-z`, whose parts each end with a zero byte, into these
 * parts.
 */
export function* splitZero(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(0, start);
    const end = found === -1 ? bytes.length : found;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** Splits `-z` output into texts such as paths; ignores unterminated text at the end. */
export function pathsOf(bytes: Uint8Array): string[] {
  try {
    return strict.decode(bytes).split('\0').slice(0, -1);
  } catch {
    // Some names are not UTF-8 and must be decoded one by one.
    const whole = bytes.subarray(0, bytes.lastIndexOf(0) + 1);
    return Array.from(splitZero(whole), pathFromBytes);
  }
}

/** Joins texts for a program that reads them with `-z`. */
export function joinZero(texts: Iterable<string>): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const text of texts) {
    const bytes = pathToBytes(text);
    parts.push(bytes);
    length += bytes.length + 1;
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length + 1;
  }
  return joined;
}
