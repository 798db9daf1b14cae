/**
 * xterm packs a cell into three 32-bit numbers: content (code point, width), foreground and
 * background (each a color with flags). xterm does not export these constants.
 */
export const CELL_SIZE = 3;

export const CODE_POINT_MASK = 0x1fffff;
export const IS_COMBINED = 0x200000;
export const HAS_CONTENT_MASK = 0x3fffff;
export const WIDTH_SHIFT = 22;
/** An empty cell: no character, one column wide. */
export const NULL_CONTENT = 1 << WIDTH_SHIFT;

export const COLOR_MODE_MASK = 0x3000000;
export const COLOR_MODE_16 = 0x1000000;
export const COLOR_MODE_256 = 0x2000000;
export const COLOR_MODE_RGB = 0x3000000;
export const RGB_MASK = 0xffffff;
export const PALETTE_MASK = 0xff;

/** Flags in the number for the foreground. */
export const INVERSE = 0x4000000;
export const BOLD = 0x8000000;
export const UNDERLINE = 0x10000000;
export const BLINK = 0x20000000;
export const INVISIBLE = 0x40000000;
export const STRIKETHROUGH = 0x80000000;

/** Flags in the number for the background. */
export const ITALIC = 0x4000000;
export const DIM = 0x8000000;
export const HAS_EXTENDED = 0x10000000;
export const PROTECTED = 0x20000000;
export const OVERLINE = 0x40000000;

const UNDERLINE_STYLE_MASK = 0x1c000000;
const UNDERLINE_STYLE_SHIFT = 26;

/** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
export function underlineStyleOf(extended: number): number {
  return (extended & UNDERLINE_STYLE_MASK) >>> UNDERLINE_STYLE_SHIFT;
}

/** The color of a foreground, background or underline number, without flags. */
export function colorOf(value: number): number {
  // A palette color that replaces an RGB color leaves some bits of the RGB color behind.
  const mode = value & COLOR_MODE_MASK;
  if (mode === COLOR_MODE_RGB) return value & (COLOR_MODE_MASK | RGB_MASK);
  return mode === 0 ? 0 : value & (COLOR_MODE_MASK | PALETTE_MASK);
}

/**
 * A foreground or background number without meaningless bits, so that equal numbers look the same.
 */
export function normalized(value: number): number {
  const flags = value & ~(COLOR_MODE_MASK | RGB_MASK);
  return (flags | colorOf(value)) >>> 0;
}
