import { attributesAt, isReachable, sameAttributes, type Attributes } from './attributes.ts';
import {
  CELL_SIZE,
  CODE_POINT_MASK,
  COLOR_MODE_MASK,
  HAS_CONTENT_MASK,
  IS_COMBINED,
  NULL_CONTENT,
  RGB_MASK,
  WIDTH_SHIFT,
} from './cellBits.ts';
import type { ScreenBuffer, ScreenLine } from './screenTypes.ts';
import { cellsOf, combinedTextOf, type XtermTerminal } from './xtermInternals.ts';

// The `!`s in this file are safe: columns are within the line. Checks would slow this hot path.

/**
 * Returns the line of a row. xterm has one for every row of a buffer, except for an inactive
 * alternate screen without lines.
 */
export function lineAt(buffer: Pick<ScreenBuffer, 'lines'>, row: number): ScreenLine {
  const line = buffer.lines.get(row);
  // Untested: only narrows the type.
  if (!line) throw new RangeError(`There is no row ${row}.`);
  return line;
}

/** The characters of a cell; '' for an empty one and for the right half of a wide one. */
export function cellText(line: ScreenLine, column: number): string {
  const content = cellsOf(line)[column * CELL_SIZE]!;
  if (content & IS_COMBINED) return combinedTextOf(line, column);
  return content & CODE_POINT_MASK ? String.fromCodePoint(content & CODE_POINT_MASK) : '';
}

export function cellWidth(line: ScreenLine, column: number): number {
  return cellsOf(line)[column * CELL_SIZE]! >>> WIDTH_SHIFT;
}

export function hasContent(line: ScreenLine, column: number): boolean {
  return (cellsOf(line)[column * CELL_SIZE]! & HAS_CONTENT_MASK) !== 0;
}

/** Number of columns up to the last cell with content or attributes. */
export function usedColumns(line: ScreenLine, cols: number): number {
  const cells = cellsOf(line);
  let end = Math.min(cols, line.length);
  for (; end > 0; end--) {
    const at = (end - 1) * CELL_SIZE;
    if (cells[at]! & HAS_CONTENT_MASK || cells[at + 1] !== 0 || cells[at + 2] !== 0) break;
  }
  return end;
}

/** Whether an empty cell with these attributes results from erasing with a background color. */
export function isErased({ fg, bg }: Attributes): boolean {
  return fg === 0 && (bg & ~(COLOR_MODE_MASK | RGB_MASK)) === 0;
}

export function erasedRun(
  line: ScreenLine,
  column: number,
  cols: number,
  attributes: Attributes,
): number {
  let end = column + 1;
  while (
    end < cols &&
    cellsOf(line)[end * CELL_SIZE] === NULL_CONTENT &&
    sameAttributes(attributesAt(line, end), attributes)
  ) {
    end++;
  }
  return end - column;
}

export function isRightHalf(line: ScreenLine, column: number): boolean {
  return column > 0 && cellWidth(line, column) === 0 && cellWidth(line, column - 1) === 2;
}

/** The column of the character that ends in the given column. */
export function lastCharacterColumn(line: ScreenLine, column: number): number {
  return !hasContent(line, column) && cellWidth(line, column) === 0 ? column - 1 : column;
}

export function isWholeWide(
  line: ScreenLine,
  column: number,
  cols: number,
  attributes: Attributes,
): boolean {
  return (
    column + 1 < cols &&
    cellsOf(line)[(column + 1) * CELL_SIZE] === 0 &&
    sameAttributes(attributesAt(line, column + 1), attributes)
  );
}

/**
 * Whether printing a cell's characters, with attributes that sequences can set, results in the same
 * cell.
 */
export function isPrintable(xterm: XtermTerminal, line: ScreenLine, column: number): boolean {
  const attributes = attributesAt(line, column);
  const width = cellWidth(line, column);
  return (
    hasContent(line, column) &&
    width !== 0 &&
    isReachable(attributes) &&
    (width !== 2 || isWholeWide(line, column, xterm.size.cols, attributes)) &&
    printsInWidth(xterm, cellText(line, column), width)
  );
}

/**
 * Whether printing a text takes the width of its cell. This is not so for a combining character
 * alone in its cell.
 */
export function printsInWidth(xterm: XtermTerminal, text: string, width: number): boolean {
  if (text.length === 1 && text < '\x7f') return width === 1;
  const widths = Array.from(text, (character) =>
    xterm.characterWidth(character.codePointAt(0) ?? 0),
  );
  return widths[0] === width && widths.every((own, index) => index === 0 || own === 0);
}
