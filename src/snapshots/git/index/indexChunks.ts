/** Chunks of 32 KiB on average: staging a file changes few bytes, and there are not many chunks. */
const BOUNDARY_MASK = 0x7fff;
const MIN_CHUNK = 8 * 1024;
const MAX_CHUNK = 256 * 1024;

const GEAR = makeGear();

/**
 * Splits an index at positions determined by its content. An added or removed entry moves no other
 * boundary, so staging a file in a large index changes only one or two chunks.
 */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  let hash = 0;
  // The `!`s: the index is below the length, and GEAR has a number for each byte.
  for (let at = 0; at < bytes.length; at += 1) {
    hash = ((hash << 1) + GEAR[bytes[at]!]!) | 0;
    const length = at + 1 - start;
    if (length < MIN_CHUNK) continue;
    if (((hash >>> 8) & BOUNDARY_MASK) !== 0 && length < MAX_CHUNK) continue;
    yield bytes.subarray(start, at + 1);
    start = at + 1;
    hash = 0;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}

/** Generates a fixed random number for each byte value. */
function makeGear(): Int32Array {
  const gear = new Int32Array(256);
  let state = 0x9e3779b9;
  for (let value = 0; value < 256; value += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    gear[value] = state;
  }
  return gear;
}
