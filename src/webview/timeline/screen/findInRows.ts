export interface RowCells {
  readonly isWrapped: boolean;
  readonly length: number;
  getCell(column: number): { getChars(): string; getWidth(): number } | undefined;
}

export interface FoundText {
  readonly row: number;
  readonly column: number;
  /** Length in cells. A text that does not fit in its row continues in the next row. */
  readonly length: number;
}

interface ScreenText {
  /** All lines, each after a line feed; wrapped rows are joined. */
  readonly text: string;
  /** The cell of each UTF-16 unit of the text, counted from the start of the screen. */
  readonly cells: readonly number[];
  readonly columns: number;
}

type Rows = readonly (RowCells | undefined)[];

/** Finds a text on a screen, across wrapped rows. Wide characters take two cells. */
export function findInRows(rows: Rows, text: string): FoundText | undefined {
  if (text === '') return undefined;
  const screen = readRows(rows);
  const at = screen.text.indexOf(text);
  return at < 0 ? undefined : placeOf(screen, at, text.length);
}

/** Finds all matches on a screen, like {@link findInRows}. @param pattern with the flag `g` */
export function findAllInRows(rows: Rows, pattern: RegExp): FoundText[] {
  const screen = readRows(rows);
  return [...screen.text.matchAll(pattern)].flatMap(({ 0: { length }, index }) =>
    length === 0 ? [] : [placeOf(screen, index, length)],
  );
}

function readRows(rows: Rows): ScreenText {
  let text = '';
  const cells: number[] = [];
  let columns = 0;
  for (const [row, cellsOfRow] of rows.entries()) {
    if (!cellsOfRow) continue;
    columns = cellsOfRow.length;
    if (!cellsOfRow.isWrapped) {
      text += '\n';
      cells.push(row * columns);
    }
    for (let column = 0; column < columns; column++) {
      const cell = cellsOfRow.getCell(column);
      if (!cell || cell.getWidth() === 0) continue;
      const chars = cell.getChars() || ' ';
      text += chars;
      for (let unit = 0; unit < chars.length; unit++) cells.push(row * columns + column);
    }
  }
  return { text, cells, columns };
}

function placeOf({ text, cells, columns }: ScreenText, at: number, units: number): FoundText {
  // The `!`s are safe: each unit of the text has a cell.
  const first = cells[at]!;
  const after = cells[at + units] ?? cells.at(-1)! + 1;
  // If the match ends its line, the next unit is in another row: use the last cell of the match.
  const length = text[at + units] === '\n' ? cells[at + units - 1]! - first + 1 : after - first;
  return { row: Math.floor(first / columns), column: first % columns, length };
}
