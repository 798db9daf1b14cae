import { Random } from '../test/mockAgent/random.ts';

/** Groups of interchangeable characters: text looks similar and keeps its length. */
const GROUPS = ['aeiou', 'bcdfghjklmnpqrstvwxyz', 'AEIOU', 'BCDFGHJKLMNPQRSTVWXYZ', '0123456789'];

/** Offsets of the visible letters and digits, without those in escape sequences. */
export function textOffsets(bytes: Uint8Array): Uint32Array {
  const offsets: number[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] === 0x1b) {
      at = endOfEscape(bytes, at);
    } else {
      if (isLetterOrDigit(bytes[at] ?? 0)) offsets.push(at);
      at++;
    }
  }
  return Uint32Array.from(offsets);
}

/**
 * A copy in which each byte at `offsets` is replaced by another of its group, always the same one.
 * Repetitions within the bytes stay, but copies with different seeds have no words in common.
 */
export function withOtherWords(
  bytes: Uint8Array,
  offsets: Uint32Array,
  seed: number,
): Uint8Array<ArrayBuffer> {
  const table = substitution(new Random(seed));
  const copy = new Uint8Array(bytes);
  for (const offset of offsets) copy[offset] = table[bytes[offset] ?? 0] ?? 0;
  return copy;
}

function substitution(random: Random): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, value) => value);
  for (const group of GROUPS) {
    const shuffled = [...group];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = random.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other] ?? '', shuffled[last] ?? ''];
    }
    [...group].forEach((letter, index) => {
      table[letter.charCodeAt(0)] = shuffled[index]?.charCodeAt(0) ?? 0;
    });
  }
  return table;
}

function isLetterOrDigit(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a)
  );
}

function endOfEscape(bytes: Uint8Array, start: number): number {
  const kind = String.fromCharCode(bytes[start + 1] ?? 0);
  let at = start + 2;
  if (kind === '[') {
    while (at < bytes.length && ((bytes[at] ?? 0) < 0x40 || (bytes[at] ?? 0) > 0x7e)) at++;
    return at + 1;
  }
  if (']PX^_'.includes(kind)) {
    while (at < bytes.length && bytes[at] !== 0x07 && bytes[at] !== 0x1b) at++;
    return bytes[at] === 0x1b ? at + 2 : at + 1;
  }
  // Intermediate bytes, as in "ESC ( B", precede the final byte.
  if (/[ -/]/.test(kind)) return at + 1;
  return at;
}
