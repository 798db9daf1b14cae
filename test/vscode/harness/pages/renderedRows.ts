import { attributesAt } from '../../../../src/terminal/screen/attributes.ts';
import {
  BOLD,
  COLOR_MODE_MASK,
  COLOR_MODE_RGB,
  DIM,
  INVERSE,
  INVISIBLE,
  ITALIC,
  OVERLINE,
  PALETTE_MASK,
  RGB_MASK,
  STRIKETHROUGH,
  UNDERLINE,
} from '../../../../src/terminal/screen/cellBits.ts';
import { cellText, cellWidth } from '../../../../src/terminal/screen/cells.ts';
import type { ScreenLine } from '../../../../src/terminal/screen/screenTypes.ts';
import type { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';

/** A run of equally styled characters. */
export type RenderedRun = readonly [look: string, text: string];

/** xterm's index of the inverted default color, for text and background. */
const INVERTED_DEFAULT = 257;
/** xterm's underline style of links. */
const LINK_UNDERLINE = 5;

/**
 * Runs in the page: the rendered rows of the terminal, without invisible trailing cells and without
 * the cursor's colors.
 */
export const RENDERED_ROWS = `(() => {
  const rows = [...document.querySelectorAll('.player .xterm-rows > div')];
  return rows.map((row) => [...row.children].map((span) => {
    const classes = [...span.classList]
      .filter((name) => name === 'xterm-cursor' || !name.startsWith('xterm-cursor'));
    const { color, backgroundColor, textDecorationColor } = span.style;
    const styles = [
      color && 'color ' + color,
      backgroundColor && 'background ' + backgroundColor,
      textDecorationColor && 'underline ' + textDecorationColor,
    ].filter(Boolean);
    return [[...classes.sort(), ...styles].join(' | '), span.textContent];
  }));
})()`;

/** The rows that {@link RENDERED_ROWS} must return for a terminal state. */
export function expectedRows(model: TerminalModel): RenderedRun[][] {
  const { active, isCursorHidden } = model.emulator;
  const { cols, rows } = model.size;
  const cursorColumn = Math.min(active.x, cols - 1);
  return Array.from({ length: rows }, (_, row) => {
    const line = active.lines.get(active.ybase + row)!;
    const hasCursor = !isCursorHidden && row === active.y;
    return lineRuns(line, cols, hasCursor ? cursorColumn : undefined);
  });
}

function lineRuns(line: ScreenLine, cols: number, cursor: number | undefined): RenderedRun[] {
  const runs: RenderedRun[] = [];
  for (let column = 0; column < cols; column++) {
    // Skip the second cell of a wide character.
    if (cellWidth(line, column) === 0) continue;
    const { fg } = attributesAt(line, column);
    const text = fg & INVISIBLE ? ' ' : cellText(line, column) || ' ';
    runs.push([lookOf(line, column, column === cursor), text]);
  }
  return runs;
}

function lookOf(line: ScreenLine, column: number, isCursor: boolean): string {
  const { fg, bg, underlineStyle, underlineColor, urlId } = attributesAt(line, column);
  const isInverse = (fg & INVERSE) !== 0;
  const classes: string[] = [];
  const styles: string[] = [];
  if (isCursor) classes.push('xterm-cursor');
  if (fg & BOLD) classes.push('xterm-bold');
  if (bg & ITALIC) classes.push('xterm-italic');
  if (bg & DIM) classes.push('xterm-dim');
  if (bg & OVERLINE) classes.push('xterm-overline');
  if (fg & STRIKETHROUGH) classes.push('xterm-strikethrough');
  const underline = urlId !== 0 ? LINK_UNDERLINE : fg & UNDERLINE ? underlineStyle || 1 : 0;
  if (underline !== 0) classes.push(`xterm-underline-${underline}`);
  const foreground = colorOf(isInverse ? bg : fg, isInverse, fg & BOLD ? 8 : 0);
  const background = colorOf(isInverse ? fg : bg, isInverse, 0);
  if (typeof foreground === 'number') classes.push(`xterm-fg-${foreground}`);
  else if (foreground) styles.push(`color ${foreground}`);
  if (typeof background === 'number') classes.push(`xterm-bg-${background}`);
  else if (background) styles.push(`background ${background}`);
  if (underline !== 0 && underlineColor !== 0) {
    const color = colorOf(underlineColor, false, 0);
    if (typeof color === 'number') throw new Error('Only the theme knows this colour.');
    styles.push(`underline ${color}`);
  }
  return [...classes.sort(), ...styles].join(' | ');
}

/** A palette index, an RGB color, or undefined for the default. @param brighter for bold text */
function colorOf(value: number, isInverse: boolean, brighter: number): number | string | undefined {
  const mode = value & COLOR_MODE_MASK;
  if (mode === 0) return isInverse ? INVERTED_DEFAULT : undefined;
  if (mode === COLOR_MODE_RGB) {
    const rgb = value & RGB_MASK;
    return `rgb(${rgb >> 16}, ${(rgb >> 8) & 0xff}, ${rgb & 0xff})`;
  }
  const color = value & PALETTE_MASK;
  return color < 8 ? color + brighter : color;
}

/** Joins equal neighbors, normalizes spaces, and drops invisible trailing cells. */
export function joinedRuns(runs: readonly RenderedRun[]): string[] {
  const joined: { look: string; text: string }[] = [];
  for (const [look, text] of runs) {
    const last = joined.at(-1);
    const plain = text.replaceAll('\u00a0', ' ');
    if (last?.look === look) last.text += plain;
    else joined.push({ look, text: plain });
  }
  const end = joined.at(-1);
  if (end?.look === '') end.text = end.text.trimEnd();
  return joined.filter(({ text }) => text !== '').map(({ look, text }) => `{${look}} ${text}`);
}
