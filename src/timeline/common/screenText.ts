import type { AhrRecord } from '../../recording/format/records.ts';
import type { Keyframe } from '../../terminal/keyframes/keyframe.ts';
import { KeyframeSchedule } from '../../terminal/keyframes/keyframeSchedule.ts';
import { playRecord } from '../../terminal/keyframes/playRecord.ts';
import { RowTextBatch } from '../../terminal/screen/rowText.ts';
import type { RowView } from '../../terminal/screen/rowView.ts';
import type { TerminalSize } from '../../terminal/screen/screenTypes.ts';
import { TerminalModel } from '../../terminal/screen/terminalModel.ts';

export interface ScreenTextOptions {
  readonly size: TerminalSize;
  /** A line came onto the screen that was not there before the record. @param isPassing it has left already */
  readonly onLine: (line: string, isPassing: boolean) => void;
  /** Keyframes that fall due on the way. */
  readonly onKeyframe?: (keyframe: Keyframe) => void;
}

/** Plays a recording once and tells each line as it comes onto the screen, overwritten and cleared ones too. */
export class ScreenText {
  readonly #options: ScreenTextOptions;
  readonly #model: TerminalModel;
  readonly #schedule = new KeyframeSchedule();
  readonly #batch = new RowTextBatch();
  /** Lines that the screen showed before the record. A line that only moved is not new. */
  #shown = new Set<string>();
  #isAlternate = false;
  #left: { text: string; isWrapped: boolean }[] = [];

  constructor(options: ScreenTextOptions) {
    this.#options = options;
    this.#model = new TerminalModel({
      size: options.size,
      historyLines: 0,
      onLine: (row) => this.#left.push({ text: row.text, isWrapped: row.isWrapped }),
    });
  }

  play(record: AhrRecord): void {
    playRecord(this.#model, record);
    if (record.kind === 'data') this.#compare();
    else if (record.kind === 'resize') this.#shown = new Set(this.#screenLines());
    const keyframe = this.#schedule.afterRecord(this.#model, record);
    if (keyframe) this.#options.onKeyframe?.(keyframe);
  }

  dispose(): void {
    this.#model.dispose();
  }

  #compare(): void {
    const { byteOffset, isAlternateScreen } = this.#model;
    const rows = this.#model.rows();
    const hasChanged =
      this.#left.length > 0 ||
      this.#isAlternate !== isAlternateScreen ||
      rows.some(({ lastWriteByte }) => lastWriteByte === byteOffset);
    if (!hasChanged) return;
    this.#isAlternate = isAlternateScreen;
    const lines = new Set(this.#screenLines(rows));
    const left = joinWrapped(this.#left);
    this.#left = [];
    for (const line of left) {
      if (!this.#shown.has(line) && !lines.has(line)) this.#options.onLine(line, true);
    }
    for (const line of lines) if (!this.#shown.has(line)) this.#options.onLine(line, false);
    this.#shown = lines;
  }

  #screenLines(rows: readonly RowView[] = this.#model.rows()): string[] {
    for (const row of rows) row.addTextTo(this.#batch);
    const texts = this.#batch.take();
    return joinWrapped(texts.map((text, row) => ({ text, isWrapped: rows[row]!.isWrapped })));
  }
}

/** Rows that continue the one above become one line with it; blank lines are left out. */
function joinWrapped(rows: readonly { text: string; isWrapped: boolean }[]): string[] {
  const lines: string[] = [];
  for (const { text, isWrapped } of rows) {
    if (isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}
