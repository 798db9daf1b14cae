import type { LinkData, ScreenLine } from './screenTypes.ts';
import { rowText, type RowTextBatch } from './rowText.ts';
import { styledText } from '../draw/styledText.ts';

/** A view of a row of a screen or of the scrollback; valid until the next write to the terminal. */
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

  /** Whether the row continues the row above. */
  get isWrapped(): boolean {
    return this.#line.isWrapped;
  }

  /** Without empty cells at the end. */
  get text(): string {
    return rowText(this.#line, this.#cols);
  }

  /** Faster than `text` for many rows. */
  addTextTo(batch: RowTextBatch): void {
    batch.add(this.#line, this.#cols);
  }

  /** With colors, attributes and links, all of them reset at the end; without cursor movement. */
  get styled(): string {
    return styledText(this.#line, this.#cols, this.#linkOf);
  }
}
