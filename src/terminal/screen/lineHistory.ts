import type { ScreenLine } from './screenTypes.ts';

export interface HistoryLine {
  readonly line: ScreenLine;
  /** Columns of the terminal when the line scrolled off. */
  readonly cols: number;
  readonly lastWriteByte: number;
}

/** The last lines that scrolled off the main screen, oldest first. */
export class LineHistory {
  readonly #capacity: number;
  #lines: HistoryLine[] = [];
  #oldest = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** Copies the line, because xterm reuses it for another row. */
  add(line: ScreenLine, cols: number, lastWriteByte: number): void {
    if (this.#capacity === 0) return;
    if (this.#lines.length < this.#capacity) {
      this.#lines.push({ line: line.clone(), cols, lastWriteByte });
      return;
    }
    const copy = this.#lines[this.#oldest]?.line ?? line.clone();
    copy.copyFrom(line);
    this.#lines[this.#oldest] = { line: copy, cols, lastWriteByte };
    this.#oldest = (this.#oldest + 1) % this.#capacity;
  }

  clear(): void {
    this.#lines = [];
    this.#oldest = 0;
  }

  /** The last `count` lines, oldest first. */
  last(count: number): HistoryLine[] {
    const ordered = [...this.#lines.slice(this.#oldest), ...this.#lines.slice(0, this.#oldest)];
    return ordered.slice(Math.max(0, ordered.length - count));
  }

  *lines(): Generator<ScreenLine> {
    for (const { line } of this.#lines) yield line;
  }
}
