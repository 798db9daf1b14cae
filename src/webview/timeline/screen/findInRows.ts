export interface RowCells {
  readonly isWrapped: boolean;
  readonly length: number;
  getCell(column: number): { getChars(): string; getWidth(): number } | undefined;
}

export interface FoundText {
  readonly row: number;
  readonly column: number;
  /** Length in cells; continues in the next row. */
  readonly length: number;
}

/** Finds a text on a screen, across wrapped rows. Wide characters take two cells. */
export function findInRows(
  rows: readonly (RowCells | undefined)[],
  text: string,
): FoundText | undefined {
  if (text === '') return undefined;
  let line = '';
  /** The cell of each UTF-16 unit of the line, counted from the start of the screen. */
  const cells: number[] = [];
  let columns = 0;
  for (const [row, cellsOfRow] of rows.entries()) {
    if (!cellsOfRow) continue;
    columns = cellsOfRow.length;
    if (!cellsOfRow.isWrapped) {
      line += '\n';
      cells.push(row * columns);
    }
    for (let column = 0; column < columns; column++) {
      const cell = cellsOfRow.getCell(column);
      if (!cell || cell.getWidth() === 0) continue;
      const chars = cell.getChars() || ' ';
      line += chars;
      for (let unit = 0; unit < chars.length; unit++) cells.push(row * columns + column);
    }
  }
  const at = line.indexOf(text);
  if (at < 0) return undefined;
  // Each unit of the line has a cell.
  const first = cells[at]!;
  const after = cells[at + text.length] ?? cells.at(-1)! + 1;
  // At the end of a line, the next unit is in the next row, so count from the last cell of the
  // match.
  const length =
    line[at + text.length] === '\n' ? cells[at + text.length - 1]! - first + 1 : after - first;
  return { row: Math.floor(first / columns), column: first % columns, length };
}
