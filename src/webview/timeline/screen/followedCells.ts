import type { FoundText } from './findInRows.ts';
import type { RecordedTerminal } from './recordedTerminal.ts';

/** Rows kept in view above and below: agents draw a frame and hints around their input. */
const ROWS_AROUND = 3;

/**
 * Scrolls the player so that the cursor, or a hit of the search, stays in view, until the user
 * scrolls.
 */
export class FollowedCells {
  readonly #player: HTMLElement;
  readonly #recorded: RecordedTerminal;
  #hit: FoundText | undefined;
  #isHeldByUser = false;
  /** The scroll position that was set here, and the sizes then. */
  #known = { left: 0, top: 0, sizes: '' };

  /** @param player the element that scrolls */
  constructor(player: HTMLElement, recorded: RecordedTerminal) {
    this.#player = player;
    this.#recorded = recorded;
    player.addEventListener('scroll', () => this.#scrolled(), { passive: true });
  }

  /** Follows the cursor again, also if the user has scrolled. */
  followCursor(): void {
    this.#hit = undefined;
    this.#isHeldByUser = false;
    this.update();
  }

  /** New output: a hit may no longer be where it was. */
  leaveHit(): void {
    this.#hit = undefined;
  }

  followHit(hit: FoundText): void {
    this.#hit = hit;
    this.#isHeldByUser = false;
    this.update();
  }

  /** Call when the screen is drawn, and when its size or that of the player has changed. */
  update(): void {
    const screen = this.#recorded.xterm.element?.querySelector('.xterm-screen');
    if (screen && !this.#isHeldByUser && this.#isScrollable) this.#reveal(screen);
    const { scrollLeft: left, scrollTop: top } = this.#player;
    this.#known = { left, top, sizes: this.#sizes };
  }

  #reveal(screen: Element): void {
    const { cols, rows } = this.#recorded;
    const { row, column, length } = this.#hit ?? this.#cursor;
    const shown = this.#player.getBoundingClientRect();
    const drawn = screen.getBoundingClientRect();
    const [cellWidth, cellHeight] = [drawn.width / cols, drawn.height / rows];
    const { clientLeft, clientTop, clientWidth, clientHeight } = this.#player;
    const top = drawn.top + (row - ROWS_AROUND) * cellHeight - shown.top - clientTop;
    const bottom = top + (2 * ROWS_AROUND + 1) * cellHeight;
    if (top < 0) this.#player.scrollTop += top;
    else if (bottom > clientHeight) this.#player.scrollTop += Math.min(top, bottom - clientHeight);
    const left = drawn.left + column * cellWidth - shown.left - clientLeft;
    const isCut = length > 0 && (left < 0 || left + length * cellWidth > clientWidth);
    // To the middle, so that the text around it can be read, too.
    if (isCut) this.#player.scrollLeft += left - clientWidth / 2;
  }

  /** The cursor; if the program hides it, the last row with text (length 0: any column of it). */
  get #cursor(): FoundText {
    const { xterm } = this.#recorded;
    const { cursorX, cursorY } = xterm.buffer.active;
    if (xterm.element?.querySelector('.xterm-cursor'))
      return { row: cursorY, column: Math.min(cursorX, xterm.cols - 1), length: 1 };
    const rows = this.#recorded.visibleRows();
    const row = rows.findLastIndex((each) => each?.translateToString(true).trim());
    return { row: Math.max(0, row), column: 0, length: 0 };
  }

  #scrolled(): void {
    const { left, top, sizes } = this.#known;
    // A change of layout also changes the scroll position.
    if (sizes !== this.#sizes) return;
    const isMoved = left !== this.#player.scrollLeft || top !== this.#player.scrollTop;
    if (isMoved) this.#isHeldByUser = true;
  }

  get #isScrollable(): boolean {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.#player;
    return scrollWidth > clientWidth || scrollHeight > clientHeight;
  }

  get #sizes(): string {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.#player;
    return [scrollWidth, scrollHeight, clientWidth, clientHeight].join();
  }
}
