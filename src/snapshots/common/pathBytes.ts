const FIRST_ESCAPE = 0xdc00;
const LONE_SURROGATE = /\p{Surrogate}/u;
const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a file name. File names are bytes, mostly UTF-8; each invalid byte n becomes the lone
 * surrogate U+DC00 + n, which valid UTF-8 never decodes to, so that {@link pathToBytes} can restore
 * the exact bytes.
 */
export function pathFromBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeByPieces(bytes);
  }
}

/**
 * Whether the name has bytes that are not UTF-8. Such a name can't be passed to programs as text.
 */
export function hasEscapedBytes(path: string): boolean {
  return LONE_SURROGATE.test(path);
}

export function pathToBytes(path: string): Uint8Array<ArrayBuffer> {
  if (!hasEscapedBytes(path)) return encoder.encode(path);
  const bytes: number[] = [];
  for (const character of path) {
    // `!`: a character of a string is never empty.
    const code = character.codePointAt(0)!;
    if (code >= FIRST_ESCAPE + 0x80 && code <= FIRST_ESCAPE + 0xff) bytes.push(code - FIRST_ESCAPE);
    else bytes.push(...encoder.encode(character));
  }
  return new Uint8Array(bytes);
}

function decodeByPieces(bytes: Uint8Array): string {
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      // `!`: `at` is below the length.
      text += String.fromCharCode(FIRST_ESCAPE + bytes[at]!);
      at += 1;
    } else {
      text += strict.decode(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return text;
}

/** Returns the length of the valid UTF-8 sequence at `at`, or 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    try {
      strict.decode(bytes.subarray(at, at + length));
      return length;
    } catch {
      // The sequence may need one more byte.
    }
  }
  return 0;
}
