/**
 * `all`: every byte value in turn. `random`: looks random, so it cannot be compressed. `text`: random printable characters.
 * `broken`: UTF-8 with faults.
 */
export type Pattern = 'all' | 'random' | 'text' | 'broken';

const BROKEN = Buffer.from([
  ...Buffer.from('ä€😀'),
  0xc3,
  0x28,
  0xff,
  0xfe,
  0xe2,
  0x82,
  0xf0,
  0x9f,
  0x98,
  0x00,
  0x1b,
  0x5b,
  0x80,
  0x9b,
  0x0a,
]);

/** The bytes of an endless deterministic stream, from `offset` on. */
export function patternBytes(pattern: Pattern, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = byteAt(pattern, offset + index);
  return bytes;
}

function byteAt(pattern: Pattern, position: number): number {
  if (pattern === 'all') return position & 0xff;
  if (pattern === 'broken') return BROKEN[position % BROKEN.length]!;
  let x = Math.imul(position ^ 0x9e3779b9, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  const random = (x ^ (x >>> 16)) & 0xff;
  return pattern === 'text' ? 0x21 + (random % 94) : random;
}
