import {
  ESC,
  PLAIN,
  attributesAt,
  attributesInForce,
  type Attributes,
} from '../screen/attributes.ts';
import { CELL_SIZE, HAS_EXTENDED, NULL_CONTENT, UNDERLINE } from '../screen/cellBits.ts';
import {
  cellText,
  cellWidth,
  isErased,
  isPrintable,
  lastCharacterColumn,
} from '../screen/cells.ts';
import { selectCharset } from './modeStream.ts';
import type { ScreenBuffer, ScreenLine } from '../screen/screenTypes.ts';
import type { StreamWriter } from './streamWriter.ts';
import { cellsOf, type XtermTerminal } from '../screen/xtermInternals.ts';

/** Whether the saved cursor differs from that of a fresh terminal. */
export function hasSavedCursor(buffer: ScreenBuffer): boolean {
  const { savedX, savedY, savedCurAttrData, savedCharset } = buffer;
  return (
    savedX !== 0 ||
    savedY !== 0 ||
    savedCurAttrData.fg !== 0 ||
    savedCurAttrData.bg !== 0 ||
    savedCharset !== undefined
  );
}

/** Saves the same cursor in the reading terminal (DECSC), then resets the attributes. */
export function saveCursor(xterm: XtermTerminal, writer: StreamWriter, buffer: ScreenBuffer): void {
  const { cols } = xterm.size;
  const { savedX, savedY, savedCurAttrData, savedCharset } = buffer;
  const line = buffer.lines.get(buffer.ybase + savedY);
  const attributes = attributesInForce(savedCurAttrData);
  // If the cursor was saved while it waited to wrap, only printing a character moves it there.
  const restoreEdge = savedX >= cols ? printEdge(xterm, writer, line, savedY) : undefined;
  if (!restoreEdge) writer.moveTo(savedY, Math.min(savedX, cols - 1));
  else if (!isSettable(attributes)) writer.losses.add('a saved cursor that waits to wrap');
  if (savedX > cols) writer.losses.add('a saved cursor beyond the edge');
  writer.attributes.setFlags(attributes);
  writer.write(selectCharset(savedCharset));
  writer.write(`${ESC}7`);
  writer.attributes.reset();
  if (savedCharset) writer.write(`${ESC}(B`);
  restoreEdge?.();
}

/**
 * Moves the cursor past the last column of a row.
 * @returns a function that restores the last cell; undefined if the cursor can't be moved there
 */
function printEdge(
  xterm: XtermTerminal,
  writer: StreamWriter,
  line: ScreenLine | undefined,
  row: number,
): (() => void) | undefined {
  const last = xterm.size.cols - 1;
  if (!line) {
    // The screen has no lines yet: xterm creates them when the screen becomes active.
    writer.moveTo(row, last);
    writer.print(' ', 1);
    return () => {};
  }
  const column = lastCharacterColumn(line, last);
  const attributes = attributesAt(line, column);
  if (isPrintable(xterm, line, column) && attributes.urlId === 0) {
    writer.moveTo(row, column);
    writer.attributes.set(attributes);
    writer.print(cellText(line, column), cellWidth(line, column));
    return () => {};
  }
  if (cellsOf(line)[last * CELL_SIZE] === NULL_CONTENT && isErased(attributes)) {
    writer.moveTo(row, last);
    writer.print(' ', 1);
    return () => {
      writer.attributes.set(attributes);
      writer.erase(row, last, 1);
      writer.attributes.set(PLAIN);
    };
  }
  writer.losses.add('a saved cursor that waits to wrap');
  return undefined;
}

/** Whether `setFlags` can set the attributes without moving the cursor. */
function isSettable({ fg, bg }: Attributes): boolean {
  return (fg & UNDERLINE) === 0 || (bg & HAS_EXTENDED) !== 0;
}
