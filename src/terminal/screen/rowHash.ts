import {
  CELL_SIZE,
  COLOR_MODE_RGB,
  HAS_EXTENDED,
  IS_COMBINED,
  NULL_CONTENT,
  colorOf,
  underlineStyleOf,
} from './cellBits.ts';
import type { LinkData, ScreenLine } from './screenTypes.ts';
import { cellsOf, combinedTextOf, extendedBits, extendedOf } from './xtermInternals.ts';

/** Bits of an RGB color that remain when a palette color replaces it. */
const STALE_COLOR_BITS = 0xffff00;

/**
 * Hashes what a row shows: characters, attributes, hyperlinks. Uses the targets of links, because
 * their numbers in xterm change after a repaint or restore.
 */
export function rowHash(
  line: ScreenLine,
  cols: number,
  linkOf: (urlId: number) => LinkData | undefined,
): number {
  // The `!`s are safe: the indexes are within the line. Checks would slow down this hot path.
  const cells = cellsOf(line);
  let end = Math.min(cols * CELL_SIZE, cells.length);
  while (end > 0 && cells[end - 3] === NULL_CONTENT && (cells[end - 2]! | cells[end - 1]!) === 0) {
    end -= CELL_SIZE;
  }
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < end; at += CELL_SIZE) {
    const content = cells[at]!;
    let fg = cells[at + 1]!;
    let bg = cells[at + 2]!;
    hash = Math.imul(hash ^ content ^ (hash >>> 15), 0x01000193);
    if ((fg | bg) !== 0) {
      if ((fg & COLOR_MODE_RGB) !== COLOR_MODE_RGB) fg &= ~STALE_COLOR_BITS;
      if ((bg & COLOR_MODE_RGB) !== COLOR_MODE_RGB) bg &= ~STALE_COLOR_BITS;
      hash = Math.imul(hash ^ fg ^ (hash >>> 13), 0x85ebca6b);
      hash = Math.imul(hash ^ bg ^ (hash >>> 16), 0xc2b2ae35);
      if (bg & HAS_EXTENDED) hash = mixExtended(hash, line, at / CELL_SIZE, linkOf);
    }
    if (content & IS_COMBINED) hash = mixText(hash, combinedTextOf(line, at / CELL_SIZE));
  }
  return hash;
}

function mixExtended(
  seed: number,
  line: ScreenLine,
  column: number,
  linkOf: (urlId: number) => LinkData | undefined,
): number {
  const extended = extendedOf(line, column);
  // Untested: the caller checks the same bit; this only narrows the type.
  if (!extended) return seed;
  const bits = extendedBits(extended);
  let hash = Math.imul(seed ^ underlineStyleOf(bits), 0x01000193);
  hash = Math.imul(hash ^ colorOf(bits), 0x01000193);
  if (extended.urlId === 0) return hash;
  const link = linkOf(extended.urlId);
  return mixText(hash, `${link?.id ?? ''};${link?.uri ?? ''}`);
}

function mixText(seed: number, text: string): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
