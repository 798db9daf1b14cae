/** `*` replaces each byte of a removed text, so that all offsets stay the same. */
export const FILLER = 0x2a;

export type ByteRange = readonly [offset: number, length: number];

/** The ranges in which two versions of the same length differ. */
export function changedRanges(before: Uint8Array, after: Uint8Array): ByteRange[] {
  const ranges: ByteRange[] = [];
  for (let start = 0; start < after.length; start++) {
    if (after[start] === before[start]) continue;
    let end = start;
    while (end < after.length && after[end] !== before[end]) end++;
    ranges.push([start, end - start]);
    start = end;
  }
  return ranges;
}

/** Returns a copy with fillers in the ranges. */
export function filledRanges(bytes: Uint8Array, ranges: readonly ByteRange[]): Uint8Array {
  const copy = new Uint8Array(bytes);
  for (const [offset, length] of ranges) copy.fill(FILLER, offset, offset + length);
  return copy;
}
