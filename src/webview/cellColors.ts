import { DEFAULT_COLOR, TRUE_COLOR } from '../timeline/common/styledRuns.ts';

/** Number of colors that the editor's theme defines. */
const THEME_COLORS = 16;
const BRIGHT = 8;
/** Steps of the palette's color cube, as xterm has them. */
const CUBE_STEPS = [0, 0x5f, 0x87, 0xaf, 0xd7, 0xff];

/**
 * Returns the bright variant of one of the first eight colors: bold text is drawn with it, as in
 * the editor's terminal.
 */
export function brightened(color: number): number {
  return color >= 0 && color < BRIGHT ? color + BRIGHT : color;
}

/** Whether the theme decides what the color looks like. */
export function isThemeColor(color: number): boolean {
  return color > DEFAULT_COLOR && color < THEME_COLORS;
}

/** CSS for a palette color beyond the theme's or for a true color; undefined for other colors. */
export function fixedColor(color: number): string | undefined {
  const rgb = fixedRgb(color);
  return rgb && `rgb(${rgb.join(' ')})`;
}

function fixedRgb(color: number): [number, number, number] | undefined {
  if (color >= TRUE_COLOR) return [(color >>> 16) & 0xff, (color >>> 8) & 0xff, color & 0xff];
  if (color < THEME_COLORS || color > 255) return undefined;
  if (color >= 232) {
    const grey = (color - 232) * 10 + 8;
    return [grey, grey, grey];
  }
  // The `!` is safe: a remainder of a division by 6 is an index of the six steps.
  const cube = color - THEME_COLORS;
  const step = (divisor: number): number => CUBE_STEPS[Math.floor(cube / divisor) % 6]!;
  return [step(36), step(6), step(1)];
}
