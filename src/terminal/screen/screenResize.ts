import { cellWidth, lineAt } from './cells.ts';
import { RowTracker } from './rowTracker.ts';
import type { LinkData, ScreenBuffer, ScreenLine } from './screenTypes.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { dropStaleCells, type XtermTerminal } from './xtermInternals.ts';

const DEFAULT_ATTRIBUTES = { fg: 0, bg: 0, extended: { urlId: 0, isEmpty: () => true } };

export interface ResizeOptions {
  readonly xterm: XtermTerminal;
  readonly size: TerminalSize;
  readonly normalRows: RowTracker;
  readonly alternateRows: RowTracker;
  readonly linkOf: (urlId: number) => LinkData | undefined;
  /** `last_write_byte` of rows that the resize adds. */
  readonly byteOffset: number;
  /** Called with the rows that no longer fit, top first. */
  readonly onLeave: (line: ScreenLine, lastWriteByte: number) => void;
}

/**
 * Resizes like xterm: wrapped lines of the main screen reflow; rows that don't fit scroll off at
 * the top and don't come back. Drops hidden state (cells, tab stops and cursors beyond the edge),
 * because no stream could restore it.
 */
export function resizeScreen(options: ResizeOptions): {
  normalRows: RowTracker;
  alternateRows: RowTracker;
} {
  const { xterm, size, onLeave, byteOffset } = options;
  const old = xterm.size;
  dropHiddenTabs(xterm);
  const offsets = new Map<ScreenLine, number>();
  prepareLines(xterm.normal, options.normalRows, old.cols !== size.cols, offsets);
  prepareLines(xterm.alternate, options.alternateRows, false, offsets);

  // Make room for all rows that reflow can create: at most one per old cell.
  xterm.terminal.options.scrollback = old.rows * old.cols;
  xterm.terminal.resize(size.cols, size.rows);
  const { normal } = xterm;
  inheritOffsets(normal, offsets, byteOffset);
  for (let index = 0; index < normal.ybase; index++) {
    const line = lineAt(normal, index);
    onLeave(line, offsets.get(line) ?? byteOffset);
  }
  xterm.terminal.options.scrollback = 0;

  for (const buffer of [xterm.normal, xterm.alternate]) cutToSize(buffer, xterm.size);
  dropHiddenTabs(xterm);
  const rebuild = (buffer: ScreenBuffer): RowTracker => {
    const rows = new RowTracker(xterm.size, options.linkOf);
    rows.adopt(buffer, (row) => {
      const line = buffer.lines.get(row);
      return (line && offsets.get(line)) ?? byteOffset;
    });
    return rows;
  };
  return { normalRows: rebuild(xterm.normal), alternateRows: rebuild(xterm.alternate) };
}

/**
 * @param joinWrapped whether all rows of a wrapped line get its newest offset, because reflow mixes
 * their cells
 */
function prepareLines(
  buffer: ScreenBuffer,
  rows: RowTracker,
  joinWrapped: boolean,
  offsets: Map<ScreenLine, number>,
): void {
  for (let row = 0; row < buffer.lines.length; row++) {
    const line = lineAt(buffer, row);
    dropStaleCells(line);
    const own = rows.lastWriteByte(row);
    offsets.set(line, own);
    if (!joinWrapped || !line.isWrapped) continue;
    let newest = own;
    let first = row;
    while (first > 0 && lineAt(buffer, first).isWrapped) first--;
    for (let at = first; at <= row; at++)
      newest = Math.max(newest, offsets.get(lineAt(buffer, at)) ?? 0);
    for (let at = first; at <= row; at++) offsets.set(lineAt(buffer, at), newest);
  }
}

/** Rows that reflow created get the offset of the row above, which they continue. */
function inheritOffsets(
  buffer: ScreenBuffer,
  offsets: Map<ScreenLine, number>,
  byteOffset: number,
): void {
  let above = byteOffset;
  for (let index = 0; index < buffer.lines.length; index++) {
    const line = lineAt(buffer, index);
    const own = offsets.get(line) ?? (line.isWrapped ? above : byteOffset);
    offsets.set(line, own);
    above = own;
  }
}

function cutToSize(buffer: ScreenBuffer, { cols, rows }: TerminalSize): void {
  buffer.savedX = Math.min(buffer.savedX, cols - 1);
  buffer.savedY = Math.max(0, Math.min(buffer.savedY, rows - 1));
  // xterm does not shrink the line list of an inactive screen, but `clear` does. Otherwise the
  // screen would scroll later instead of losing its top row.
  if (buffer.lines.length === 0) buffer.clear();
  for (let row = 0; row < buffer.lines.length; row++) {
    const line = lineAt(buffer, row);
    if (line.length > cols) line.resize(cols, buffer.getNullCell());
    if (cellWidth(line, cols - 1) === 2) {
      line.setCellFromCodepoint(cols - 1, 0, 1, DEFAULT_ATTRIBUTES);
    }
  }
}

function dropHiddenTabs(xterm: XtermTerminal): void {
  for (const buffer of [xterm.normal, xterm.alternate]) {
    for (const key of Object.keys(buffer.tabs)) {
      if (Number(key) >= xterm.size.cols) delete buffer.tabs[Number(key)];
    }
  }
}
