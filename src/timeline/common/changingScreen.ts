import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { playRecord } from '../../terminal/keyframes/playRecord.ts';
import { RowTextBatch } from '../../terminal/screen/rowText.ts';
import type { RowView } from '../../terminal/screen/rowView.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { TerminalModel } from '../../terminal/screen/terminalModel.ts';

/** The text of a screen row; a wrapped row continues the one above. */
export interface TextRow {
  readonly text: string;
  readonly isWrapped: boolean;
}

export interface ScreenChange {
  readonly rows: readonly TextRow[];
  /** Rows that left the screen at the top since the last change. */
  readonly scrolledOff: readonly TextRow[];
  readonly isAlternate: boolean;
  readonly wasAlternate: boolean;
}

/** A terminal that plays records, and reads its rows only when they have changed. */
export class ChangingScreen {
  readonly model: TerminalModel;
  readonly #batch = new RowTextBatch();
  #scrolledOff: TextRow[] = [];
  #wasAlternate = false;

  constructor(size: TerminalSize, unicodeVersion?: UnicodeVersion) {
    this.model = new TerminalModel({
      size,
      unicodeVersion,
      historyLines: 0,
      onLine: ({ text, isWrapped }) => this.#scrolledOff.push({ text, isWrapped }),
    });
  }

  get scrolledOffRows(): number {
    return this.#scrolledOff.length;
  }

  play(record: AhrRecord): void {
    playRecord(this.model, record);
  }

  /** Returns what changed on the screen since the last call; undefined if nothing did. */
  takeChange(): ScreenChange | undefined {
    const { byteOffset, isAlternateScreen: isAlternate } = this.model;
    const rows = this.model.rows();
    const wasAlternate = this.#wasAlternate;
    const hasChanged =
      this.#scrolledOff.length > 0 ||
      wasAlternate !== isAlternate ||
      rows.some(({ lastWriteByte }) => lastWriteByte === byteOffset);
    if (!hasChanged) return undefined;
    const scrolledOff = this.#scrolledOff;
    this.#scrolledOff = [];
    this.#wasAlternate = isAlternate;
    return { rows: this.textRows(rows), scrolledOff, isAlternate, wasAlternate };
  }

  textRows(rows: readonly RowView[] = this.model.rows()): TextRow[] {
    for (const row of rows) row.addTextTo(this.#batch);
    const texts = this.#batch.take();
    return rows.map(({ isWrapped }, index) => ({ text: texts[index] ?? '', isWrapped }));
  }

  dispose(): void {
    this.model.dispose();
  }
}
