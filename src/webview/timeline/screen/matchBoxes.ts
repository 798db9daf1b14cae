import { element } from '../element.ts';
import { findAllInRows, type FoundText, type RowCells } from './findInRows.ts';

/** Maximum number of boxes; more would slow down each frame. */
const MAX_BOXES = 1000;

interface Screen {
  readonly cols: number;
  readonly rows: number;
  visibleRows(): (RowCells | undefined)[];
}

/**
 * Boxes over all matches on the screen. xterm.js's own decorations don't exist on the alternate
 * screen, which many agents use.
 */
export class MatchBoxes {
  readonly root = element('div', { class: 'matches', attributes: { 'aria-hidden': 'true' } });
  readonly #screen: Screen;
  #pattern: RegExp | undefined;
  #shown = '';

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  set pattern(pattern: RegExp | undefined) {
    this.#pattern = pattern;
    this.draw();
  }

  /** Call when the screen has changed. */
  draw(): void {
    const { cols, rows } = this.#screen;
    const found = this.#pattern ? findAllInRows(this.#screen.visibleRows(), this.#pattern) : [];
    const boxes = found.flatMap((each) => boxesOf(each, cols)).slice(0, MAX_BOXES);
    const shown = JSON.stringify([cols, rows, boxes]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.root.replaceChildren(...boxes.map((box) => boxElement(box, cols, rows)));
  }
}

/** Splits a match that continues in the next rows into one box per row. */
function boxesOf({ row, column, length }: FoundText, cols: number): FoundText[] {
  const first = Math.min(length, cols - column);
  const box = { row, column, length: first };
  if (first === length) return [box];
  return [box, ...boxesOf({ row: row + 1, column: 0, length: length - first }, cols)];
}

/**
 * Positions a box in percent of the screen, so that it stays in place when the font size changes.
 */
function boxElement({ row, column, length }: FoundText, cols: number, rows: number): HTMLElement {
  const box = element('div', { class: 'match' });
  box.style.left = `${(column / cols) * 100}%`;
  box.style.top = `${(row / rows) * 100}%`;
  box.style.width = `${(length / cols) * 100}%`;
  box.style.height = `${100 / rows}%`;
  return box;
}
