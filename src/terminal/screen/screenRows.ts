import { RowTracker } from './rowTracker.ts';
import { RowView } from './rowView.ts';
import { resizeScreen } from './screenResize.ts';
import { lineAt } from './cells.ts';
import type { LinkData, ScreenBuffer, ScreenLine } from './screenTypes.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import type { XtermTerminal } from './xtermInternals.ts';

/** Called with a line that scrolls off the main screen at the top. */
export type LineListener = (line: ScreenLine, cols: number, lastWriteByte: number) => void;

/**
 * Tracks the rows of both screens, the byte that last changed each row, and the lines that scroll
 * off. Follows xterm during parsing, because a single record may scroll thousands of lines.
 */
export class ScreenRows {
  readonly #xterm: XtermTerminal;
  readonly #linkOf: (urlId: number) => LinkData | undefined;
  readonly #onLeave: LineListener;
  #normal: RowTracker;
  #alternate: RowTracker;
  #isLineLeaving = false;
  /** Byte offset at the end of the current or last record. */
  byteOffset = 0;

  constructor(
    xterm: XtermTerminal,
    linkOf: (urlId: number) => LinkData | undefined,
    onLeave: LineListener,
  ) {
    this.#xterm = xterm;
    this.#linkOf = linkOf;
    this.#onLeave = onLeave;
    this.#normal = new RowTracker(xterm.size, linkOf);
    this.#alternate = new RowTracker(xterm.size, linkOf);
    this.adopt([], []);
    this.#follow();
  }

  /** Starts tracking with the current screens and the given offsets of their rows (default 0). */
  adopt(normal: readonly number[], alternate: readonly number[]): void {
    this.#normal.adopt(this.#xterm.normal, (row) => normal[row] ?? 0);
    this.#alternate.adopt(this.#xterm.alternate, (row) => alternate[row] ?? 0);
  }

  /** Call at the end of a record, which has caused all changes on the active screen. */
  settle(): void {
    this.#settle(this.#xterm.active);
  }

  resize(size: TerminalSize): void {
    const trackers = resizeScreen({
      xterm: this.#xterm,
      size,
      normalRows: this.#normal,
      alternateRows: this.#alternate,
      linkOf: this.#linkOf,
      byteOffset: this.byteOffset,
      onLeave: (line, lastWriteByte) => this.#leave(line, lastWriteByte),
    });
    this.#normal = trackers.normalRows;
    this.#alternate = trackers.alternateRows;
  }

  /** Rows of a buffer, top first; none for an inactive alternate screen. */
  viewsOf(buffer: ScreenBuffer): RowView[] {
    const tracker = this.#trackerOf(buffer);
    const { cols } = this.#xterm.size;
    return Array.from({ length: buffer.lines.length }, (_, row) => {
      return new RowView(lineAt(buffer, row), cols, tracker.lastWriteByte(row), this.#linkOf);
    });
  }

  #follow(): void {
    const xterm = this.#xterm;
    xterm.interceptScroll(
      () => this.#beforeScroll(),
      () => this.#afterScroll(),
    );
    xterm.onBufferSwitch((left) => {
      // xterm tracks only the damage of the active screen: use it before the switch resets it.
      if (left !== xterm.normal) return;
      this.#settle(left);
      this.#alternate.markAllNew();
    });
    xterm.onReset(() => this.#normal.markAllNew());
  }

  #beforeScroll(): void {
    const { active, normal } = this.#xterm;
    // Only rows that leave at the top of the main screen go to the scrollback.
    this.#isLineLeaving = active === normal && active.scrollTop === 0;
    if (!this.#isLineLeaving) return;
    const { start, end } = this.#xterm.damage;
    // While text wraps, xterm has not reported its last row yet, which is the cursor's row.
    this.#normal.touch(start, Math.max(end, active.y));
    const line = lineAt(active, 0);
    this.#leave(line, this.#normal.leavingByte(line, this.byteOffset));
  }

  #afterScroll(): void {
    if (!this.#isLineLeaving) return;
    this.#normal.shift(this.#xterm.normal.scrollBottom);
    this.#xterm.clearDamage();
  }

  #leave(line: ScreenLine, lastWriteByte: number): void {
    this.#onLeave(line, this.#xterm.terminal.cols, lastWriteByte);
  }

  #settle(buffer: ScreenBuffer): void {
    const tracker = this.#trackerOf(buffer);
    tracker.touch(this.#xterm.damage.start, this.#xterm.damage.end);
    tracker.settle(buffer, this.byteOffset);
  }

  #trackerOf(buffer: ScreenBuffer): RowTracker {
    return buffer === this.#xterm.normal ? this.#normal : this.#alternate;
  }
}
