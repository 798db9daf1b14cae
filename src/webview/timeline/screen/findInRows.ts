export interface RowCells {
  readonly isWrapped: boolean;
  readonly length: number;
  getCell(column: number): { getChars(): string; getWidth(): number } | undefined;
}

export interface FoundText {
  readonly row: number;
  readonly column: number;
  /** In cells; goes on in the next row past the end of one. */
  readonly length: number;
}

/** Where on a screen a text is. Rows that continue one another are one line; a wide character takes two cells. */
export function findInRows(
  rows: readonly (RowCells | undefined)[],
  text: string,
): FoundText | undefined {
  if (text === '') return undefined;
  let line = '';
  /** For each UTF-16 unit of the line the cell it is in, counted from the start of the screen. */
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
  const first = cells[at]!;
  const after = cells[at + text.length] ?? cells.at(-1)! + 1;
  // A line that ends with the match is followed by the start of the next row.
  const length =
    line[at + text.length] === '\n' ? cells[at + text.length - 1]! - first + 1 : after - first;
  return { row: Math.floor(first / columns), column: first % columns, length };
}
