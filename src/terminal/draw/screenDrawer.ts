import {
  CLOSE_LINK,
  CSI,
  PLAIN,
  attributesAt,
  openLink,
  type Attributes,
} from '../screen/attributes.ts';
import { CELL_SIZE, NULL_CONTENT } from '../screen/cellBits.ts';
import {
  cellText,
  cellWidth,
  erasedRun,
  hasContent,
  isErased,
  isRightHalf,
  isWholeWide,
  printsInWidth,
} from '../screen/cells.ts';
import type { LinkData, ScreenBuffer, ScreenLine } from '../screen/screenTypes.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import type { StreamWriter } from './streamWriter.ts';
import { cellsOf, type XtermTerminal } from '../screen/xtermInternals.ts';

/**
 * Used to draw empty cells with attributes; any wide character would do. When its right half is
 * overwritten, its left half becomes empty and gets the current attributes.
 */
const WIDE_SPACE = '\u3000';

interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/**
 * Draws the cells of a screen on a blank one of the same size. Uses only sequences that don't
 * scroll, and resets the attributes.
 */
export class ScreenDrawer {
  readonly #xterm: XtermTerminal;
  readonly #size: TerminalSize;
  readonly #linkOf: (urlId: number) => LinkData | undefined;
  readonly #writer: StreamWriter;
  readonly #drawnLinks = new Set<number>();

  constructor(
    xterm: XtermTerminal,
    linkOf: (urlId: number) => LinkData | undefined,
    writer: StreamWriter,
  ) {
    this.#xterm = xterm;
    this.#size = xterm.size;
    this.#linkOf = linkOf;
    this.#writer = writer;
  }

  /** Draws all cells except those of the link that stays open. */
  drawBuffer(buffer: ScreenBuffer, openLinkId: number): void {
    const lines = this.#linesOf(buffer);
    this.#drawWrapMarks(lines);
    lines.forEach((line, row) => this.#drawRow(line, row));
    const links = this.#cellsOfLinks(lines);
    this.#noteLinks(new Set([...links.keys(), ...(openLinkId === 0 ? [] : [openLinkId])]));
    links.delete(openLinkId);
    for (const [urlId, positions] of links) this.#drawLink(lines, urlId, positions);
    if (links.size > 0) this.#writer.write(CLOSE_LINK);
    this.#writer.attributes.set(PLAIN);
  }

  /** Draws the cells of a link and leaves it open, because later output belongs to it. */
  drawOpenLink(buffer: ScreenBuffer, urlId: number): void {
    const lines = this.#linesOf(buffer);
    this.#drawLink(lines, urlId, this.#cellsOfLinks(lines).get(urlId) ?? []);
    this.#writer.attributes.set(PLAIN);
  }

  /** Notes a loss for links without an ID on both screens: opening such a link makes a new one. */
  #noteLinks(urlIds: ReadonlySet<number>): void {
    for (const urlId of urlIds) {
      if (this.#linkOf(urlId)?.id !== undefined) continue;
      if (this.#drawnLinks.has(urlId))
        this.#writer.losses.add('a link without an id on both screens');
      this.#drawnLinks.add(urlId);
    }
  }

  #linesOf(buffer: ScreenBuffer): ScreenLine[] {
    const lines: ScreenLine[] = [];
    for (let row = 0; row < this.#size.rows; row++) {
      const line = buffer.lines.get(buffer.ybase + row);
      if (line) lines.push(line);
    }
    return lines;
  }

  /** Marks wrapped rows by printing over the edge and erasing the printed characters. */
  #drawWrapMarks(lines: readonly ScreenLine[]): void {
    const { cols, rows } = this.#size;
    if (lines[0]?.isWrapped) {
      if (rows > 1) {
        this.#wrapInto(1);
        this.#writer.moveTo(0, 0);
        this.#writer.writeMoving(`${CSI}M`);
        this.#writer.erase(0, 0, 1);
      } else {
        this.#writer.losses.add('a single row that continues one above');
      }
    }
    lines.forEach((line, row) => {
      if (row === 0 || !line.isWrapped) return;
      this.#wrapInto(row);
      this.#writer.erase(row, 0, 1);
      this.#writer.erase(row - 1, cols - 1, 1);
    });
  }

  #wrapInto(row: number): void {
    this.#writer.moveTo(row - 1, this.#size.cols - 1);
    this.#writer.writeMoving('  ');
  }

  #drawRow(line: ScreenLine, row: number): void {
    const { cols } = this.#size;
    this.#drawStyledEdge(line, row);
    let litterColumn = -1;
    for (let column = 0; column < cols;) {
      const attributes = attributesAt(line, column);
      if (attributes.urlId !== 0) {
        if (!hasContent(line, column) && !isRightHalf(line, column)) {
          this.#writer.losses.add('an empty cell that belongs to a link');
        }
        column++;
      } else if (hasContent(line, column)) {
        column += this.#drawCharacter(line, row, column, attributes);
      } else if (cellsOf(line)[column * CELL_SIZE] !== NULL_CONTENT) {
        this.#writer.losses.add('half of a wide character');
        column++;
      } else if (isErased(attributes)) {
        const count = erasedRun(line, column, cols, attributes);
        if (attributes !== PLAIN || column === litterColumn) {
          this.#writer.attributes.set(attributes);
          this.#writer.erase(row, column, attributes === PLAIN ? 1 : count);
        }
        column += count;
      } else {
        if (column < cols - 1) {
          this.#drawStyledEmpty(row, column, attributes);
          litterColumn = column + 1;
          if (litterColumn === cols - 1 && this.#isStyledEdge(line)) {
            this.#writer.losses.add('two empty cells with attributes at the edge');
          }
        }
        column++;
      }
    }
    this.#writer.attributes.set(PLAIN);
  }

  /** @returns the number of columns that the character takes */
  #drawCharacter(line: ScreenLine, row: number, column: number, attributes: Attributes): number {
    const width = cellWidth(line, column);
    if (width === 2 && !isWholeWide(line, column, this.#size.cols, attributes)) {
      this.#writer.losses.add('half of a wide character');
      return 1;
    }
    if (!printsInWidth(this.#xterm, cellText(line, column), width)) {
      this.#writer.losses.add('a character wider than it prints');
    }
    // Without a sequence before it, a combining character would join the previous one.
    if (width === 0) this.#writer.moveAnew(row, column);
    else this.#writer.moveTo(row, column);
    this.#setAttributes(attributes);
    this.#writer.print(cellText(line, column), width || 1);
    return width || 1;
  }

  #setAttributes(attributes: Attributes): void {
    if (this.#writer.attributes.set(attributes)) return;
    if (attributes.urlId === 0) this.#writer.attributes.setThroughSavedCursor(attributes);
    else this.#writer.losses.add('a link whose underline comes from a restored cursor');
  }

  /**
   * Draws an empty cell with attributes: the rest of a wide character that was half overwritten.
   */
  #drawStyledEmpty(row: number, column: number, attributes: Attributes): void {
    this.#writer.attributes.set(PLAIN);
    this.#writer.moveTo(row, column);
    this.#writer.print(WIDE_SPACE, 2);
    this.#writer.moveTo(row, column + 1);
    this.#setAttributes(attributes);
    this.#writer.print(' ', 1);
  }

  /**
   * Draws an empty cell with attributes in the last column. No wide character fits there, so this
   * draws the cell one column before and shifts it.
   */
  #drawStyledEdge(line: ScreenLine, row: number): void {
    if (!this.#isStyledEdge(line)) return;
    const last = this.#size.cols - 1;
    this.#drawStyledEmpty(row, last - 1, attributesAt(line, last));
    this.#writer.attributes.set(PLAIN);
    this.#writer.moveTo(row, last - 1);
    this.#writer.write(`${CSI}@`);
  }

  #isStyledEdge(line: ScreenLine): boolean {
    const last = this.#size.cols - 1;
    const attributes = attributesAt(line, last);
    return (
      cellsOf(line)[last * CELL_SIZE] === NULL_CONTENT &&
      attributes.urlId === 0 &&
      !isErased(attributes)
    );
  }

  #cellsOfLinks(lines: readonly ScreenLine[]): Map<number, CellPosition[]> {
    const links = new Map<number, CellPosition[]>();
    lines.forEach((line, row) => {
      for (let column = 0; column < this.#size.cols; column++) {
        const { urlId } = attributesAt(line, column);
        if (urlId === 0 || !hasContent(line, column)) continue;
        const positions = links.get(urlId);
        if (positions) positions.push({ row, column });
        else links.set(urlId, [{ row, column }]);
      }
    });
    return links;
  }

  /** Draws all cells of a link at once, so that they are one link in the reading terminal, too. */
  #drawLink(lines: readonly ScreenLine[], urlId: number, positions: readonly CellPosition[]): void {
    const link = this.#linkOf(urlId);
    if (link) this.#writer.write(openLink(link));
    else this.#writer.losses.add('a link that leads nowhere');
    for (const { row, column } of positions) {
      const line = lines[row];
      if (line) this.#drawCharacter(line, row, column, attributesAt(line, column));
    }
  }
}
