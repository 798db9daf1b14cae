import {
  ESC,
  asStored,
  attributesAt,
  attributesInForce,
  sameAttributes,
  type Attributes,
} from '../screen/attributes.ts';
import { cellText, cellWidth, isPrintable, lastCharacterColumn, lineAt } from '../screen/cells.ts';
import { charsetStream, hasForeignCharset, modeStream } from './modeStream.ts';
import type { ScreenBuffer } from '../screen/screenTypes.ts';
import type { StreamWriter } from './streamWriter.ts';
import type { XtermTerminal } from '../screen/xtermInternals.ts';

/** Writes the end of a stream: character sets, modes, current attributes and finally the cursor. */
export class CursorFinisher {
  readonly #xterm: XtermTerminal;
  readonly #writer: StreamWriter;
  readonly #cols: number;
  readonly #inForce: Attributes;

  constructor(xterm: XtermTerminal, writer: StreamWriter) {
    this.#xterm = xterm;
    this.#writer = writer;
    this.#cols = xterm.size.cols;
    this.#inForce = attributesInForce(xterm.attributes);
  }

  finish(): void {
    const writer = this.#writer;
    const { active } = this.#xterm;
    const charsets = charsetStream(this.#xterm);
    const modes = modeStream(this.#xterm);
    const hasForeign = hasForeignCharset(this.#xterm);
    if (hasForeign) {
      if (active.savedCharset !== this.#xterm.charset)
        writer.losses.add('a character set of its own');
      // Only a restored cursor can select a set that is not the one designated for its level.
      writer.writeMoving(`${charsets}${ESC}8`);
      writer.attributes.forget();
    }
    const before = hasForeign ? '' : charsets;
    const repeatable = this.#repeatableColumn(active);
    if (repeatable !== undefined) {
      writer.write(before + modes);
      this.#moveTo(active, repeatable);
      this.#setInForce();
      const line = lineAt(active, active.ybase + active.y);
      writer.print(cellText(line, repeatable), cellWidth(line, repeatable));
      return;
    }
    if (active.x < this.#cols) this.#moveTo(active, active.x);
    else this.#waitToWrap(active);
    writer.write(before + modes);
    this.#setInForce();
  }

  #setInForce(): void {
    if (!this.#writer.attributes.set(this.#inForce)) {
      this.#writer.losses.add('attributes in force that come from a restored cursor');
    }
  }

  /**
   * Column of the character before the cursor, if printing it last restores what `CSI b` repeats.
   */
  #repeatableColumn(active: ScreenBuffer): number | undefined {
    const { joinState } = this.#xterm;
    if (joinState === 0) return undefined;
    const width = (joinState >> 1) & 3;
    const column = active.x - width;
    const line = active.lines.get(active.ybase + active.y);
    if (
      line &&
      column >= 0 &&
      !this.#xterm.isInsertMode &&
      cellWidth(line, column) === width &&
      isPrintable(this.#xterm, line, column) &&
      sameAttributes(attributesAt(line, column), asStored(this.#inForce)) &&
      isJoined(cellText(line, column)) === ((joinState & 1) !== 0) &&
      this.#printsAsIs(cellText(line, column))
    ) {
      return column;
    }
    this.#writer.losses.add('the character before the cursor');
    return undefined;
  }

  #printsAsIs(text: string): boolean {
    const { charset } = this.#xterm;
    return !charset || charset[text] === undefined;
  }

  /** Moves the cursor past the last column by printing the last character of the row again. */
  #waitToWrap(active: ScreenBuffer): void {
    const line = active.lines.get(active.ybase + active.y);
    const last = this.#cols - 1;
    const column = line ? lastCharacterColumn(line, last) : last;
    if (
      line &&
      active.x === this.#cols &&
      isPrintable(this.#xterm, line, column) &&
      attributesAt(line, column).urlId === this.#inForce.urlId &&
      (!hasForeignCharset(this.#xterm) || this.#printsAsIs(cellText(line, column)))
    ) {
      this.#moveTo(active, column);
      this.#writer.attributes.set(attributesAt(line, column));
      this.#writer.print(cellText(line, column), cellWidth(line, column));
      // Forces the attributes to be set again: then no combining character joins this one.
      this.#writer.attributes.forget();
      return;
    }
    this.#writer.losses.add('a cursor that waits to wrap');
    this.#moveTo(active, last);
  }

  /** In origin mode, rows count from the top margin. */
  #moveTo(active: ScreenBuffer, column: number): void {
    const { y, scrollTop, scrollBottom } = active;
    if (!this.#xterm.modes.origin) {
      this.#writer.moveAnew(y, column);
      return;
    }
    if (y < scrollTop || y > scrollBottom)
      this.#writer.losses.add('a cursor outside of its margins');
    this.#writer.moveAnew(Math.max(0, y - scrollTop), column);
  }
}

/** Whether more than one code point shares the cell. */
function isJoined(text: string): boolean {
  return text.length > ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}
