import { CELL_SIZE, WIDTH_SHIFT } from './cellBits.ts';
import { RowTracker } from './rowTracker.ts';
import type { LinkData, ScreenBuffer, ScreenLine, TerminalSize } from './screenTypes.ts';
import { cellsOf, dropStaleCells, type XtermTerminal } from './xtermInternals.ts';

const DEFAULT_ATTRIBUTES = { fg: 0, bg: 0, extended: { urlId: 0, isEmpty: () => true } };

export interface ResizeOptions {
  readonly xterm: XtermTerminal;
  readonly size: TerminalSize;
  readonly normalRows: RowTracker;
  readonly alternateRows: RowTracker;
  readonly linkOf: (urlId: number) => LinkData | undefined;
  /** Given to rows that the resize adds. */
  readonly byteOffset: number;
  /** Receives the rows that no longer fit, top first. */
  readonly onLeave: (line: ScreenLine, lastWriteByte: number) => void;
}

/**
 * Resizes like xterm does: wrapped lines on the main screen reflow, rows that do not fit leave at the top. What has left does
 * not come back. State that xterm keeps out of sight (cells beyond the edge, stops and cursors outside) is cut off, because
 * no stream could restore it.
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

  // Room for every row that reflow can make: one per old cell at worst.
  xterm.terminal.options.scrollback = old.rows * old.cols;
  xterm.terminal.resize(size.cols, size.rows);
  const { normal } = xterm;
  inheritOffsets(normal, offsets, byteOffset);
  for (let index = 0; index < normal.ybase; index++) {
    const line = normal.lines.get(index)!;
    onLeave(line, offsets.get(line)!);
  }
  xterm.terminal.options.scrollback = 0;

  for (const buffer of [xterm.normal, xterm.alternate]) cutToSize(buffer, xterm.size);
  dropHiddenTabs(xterm);
  const rebuild = (buffer: ScreenBuffer): RowTracker => {
    const rows = new RowTracker(xterm.size, options.linkOf);
    rows.adopt(buffer, (row) => offsets.get(buffer.lines.get(row)!) ?? byteOffset);
    return rows;
  };
  return { normalRows: rebuild(xterm.normal), alternateRows: rebuild(xterm.alternate) };
}

/** @param joinWrapped give every row of a wrapped line the newest offset of it, because reflow mixes their cells */
function prepareLines(
  buffer: ScreenBuffer,
  rows: RowTracker,
  joinWrapped: boolean,
  offsets: Map<ScreenLine, number>,
): void {
  for (let row = 0; row < buffer.lines.length; row++) {
    const line = buffer.lines.get(row)!;
    dropStaleCells(line);
    const own = rows.lastWriteByte(row);
    offsets.set(line, own);
    if (!joinWrapped || !line.isWrapped) continue;
    let newest = own;
    let first = row;
    while (first > 0 && buffer.lines.get(first)!.isWrapped) first--;
    for (let at = first; at <= row; at++)
      newest = Math.max(newest, offsets.get(buffer.lines.get(at)!)!);
    for (let at = first; at <= row; at++) offsets.set(buffer.lines.get(at)!, newest);
  }
}

/** Rows that reflow made continue the row above, and are as old. */
function inheritOffsets(
  buffer: ScreenBuffer,
  offsets: Map<ScreenLine, number>,
  byteOffset: number,
): void {
  let above = byteOffset;
  for (let index = 0; index < buffer.lines.length; index++) {
    const line = buffer.lines.get(index)!;
    const own = offsets.get(line) ?? (line.isWrapped ? above : byteOffset);
    offsets.set(line, own);
    above = own;
  }
}

function cutToSize(buffer: ScreenBuffer, { cols, rows }: TerminalSize): void {
  buffer.savedX = Math.min(buffer.savedX, cols - 1);
  buffer.savedY = Math.max(0, Math.min(buffer.savedY, rows - 1));
  // xterm keeps the old length of an inactive screen that shrinks, which then scrolls instead of losing its top row.
  if (buffer.lines.length === 0) buffer.clear();
  for (let row = 0; row < buffer.lines.length; row++) {
    const line = buffer.lines.get(row)!;
    if (line.length > cols) line.resize(cols, buffer.getNullCell());
    if (cellsOf(line)[(cols - 1) * CELL_SIZE]! >>> WIDTH_SHIFT === 2) {
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
