import { RowTracker } from './rowTracker.ts';
import { RowView } from './rowView.ts';
import { resizeScreen } from './screenResize.ts';
import type { LinkData, ScreenBuffer, ScreenLine, TerminalSize } from './screenTypes.ts';
import type { XtermTerminal } from './xtermInternals.ts';

/** Told of a line that leaves the main screen at the top. */
export type LineLeaves = (line: ScreenLine, cols: number, lastWriteByte: number) => void;

/**
 * The rows of both screens with the byte that last changed each, and the lines that leave them. Follows xterm while it
 * parses: a single record may scroll thousands of lines through the screen.
 */
export class ScreenRows {
  readonly #xterm: XtermTerminal;
  readonly #linkOf: (urlId: number) => LinkData | undefined;
  readonly #onLeave: LineLeaves;
  #normal: RowTracker;
  #alternate: RowTracker;
  #isLineLeaving = false;
  /** End of the record that is being applied, or was last. */
  byteOffset = 0;

  constructor(
    xterm: XtermTerminal,
    linkOf: (urlId: number) => LinkData | undefined,
    onLeave: LineLeaves,
  ) {
    this.#xterm = xterm;
    this.#linkOf = linkOf;
    this.#onLeave = onLeave;
    this.#normal = new RowTracker(xterm.size, linkOf);
    this.#alternate = new RowTracker(xterm.size, linkOf);
    this.adopt([], []);
    this.#follow();
  }

  /** Takes the screens as they are, with these offsets; 0 where there is none. */
  adopt(normal: readonly number[], alternate: readonly number[]): void {
    this.#normal.adopt(this.#xterm.normal, (row) => normal[row] ?? 0);
    this.#alternate.adopt(this.#xterm.alternate, (row) => alternate[row] ?? 0);
  }

  /** A record was applied: what changed on the active screen was changed by it. */
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

  /** Top first; none for an alternate screen that is not active. */
  viewsOf(buffer: ScreenBuffer): RowView[] {
    const tracker = this.#trackerOf(buffer);
    const { cols } = this.#xterm.size;
    return Array.from({ length: buffer.lines.length }, (_, row) => {
      return new RowView(buffer.lines.get(row)!, cols, tracker.lastWriteByte(row), this.#linkOf);
    });
  }

  #follow(): void {
    const xterm = this.#xterm;
    xterm.interceptScroll(
      () => this.#beforeScroll(),
      () => this.#afterScroll(),
    );
    xterm.onBufferSwitch((left) => {
      // Damage is counted for the active screen only: account for it before it is about another one.
      if (left !== xterm.normal) return;
      this.#settle(left);
      this.#alternate.rebirth();
    });
    xterm.onReset(() => this.#normal.rebirth());
  }

  #beforeScroll(): void {
    const { active, normal } = this.#xterm;
    // Only rows that leave at the top of the main screen go to the scrollback.
    this.#isLineLeaving = active === normal && active.scrollTop === 0;
    if (!this.#isLineLeaving) return;
    const { start, end } = this.#xterm.damage;
    // A run of text that wraps reports its last row only when it ends: it has come as far as the cursor.
    this.#normal.touch(start, Math.max(end, active.y));
    const line = active.lines.get(0)!;
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
