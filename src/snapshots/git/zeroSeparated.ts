import { pathFromBytes, pathToBytes } from '../common/pathBytes.ts';

/** The parts of a `-z` output, as bytes. */
export function* splitZero(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(0, start);
    const end = found === -1 ? bytes.length : found;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** The paths of a `-z` output. */
export function pathsOf(bytes: Uint8Array): string[] {
  return Array.from(splitZero(bytes), pathFromBytes);
}

/** Texts for a program that reads them with `-z`. */
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
