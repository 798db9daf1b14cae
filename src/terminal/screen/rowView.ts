import type { LinkData, ScreenLine } from './screenTypes.ts';
import { rowText, type RowTextBatch } from './rowText.ts';
import { styledText } from '../draw/styledText.ts';

/** One row of a screen or of the history. A view: it is valid until the terminal is written to again. */
export class RowView {
  readonly #line: ScreenLine;
  readonly #cols: number;
  readonly #linkOf: (urlId: number) => LinkData | undefined;
  /** End of the last data record that changed the row, in bytes from the start of the recording. */
  readonly lastWriteByte: number;

  constructor(
    line: ScreenLine,
    cols: number,
    lastWriteByte: number,
    linkOf: (urlId: number) => LinkData | undefined,
  ) {
    this.#line = line;
    this.#cols = cols;
    this.lastWriteByte = lastWriteByte;
    this.#linkOf = linkOf;
  }

  /** Whether the row continues the one above it. */
  get isWrapped(): boolean {
    return this.#line.isWrapped;
  }

  /** Empty cells at the end left out. */
  get text(): string {
    return rowText(this.#line, this.#cols);
  }

  /** For many rows at once: faster than `text`. */
  addTextTo(batch: RowTextBatch): void {
    batch.add(this.#line, this.#cols);
  }

  /** With colours, attributes and links, and back to none of them at its end; no cursor movement. */
  get styled(): string {
    return styledText(this.#line, this.#cols, this.#linkOf);
  }
}
