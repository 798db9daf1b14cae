import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import type { AhrRecord } from '../../../recording/format/records.ts';
import type { Keyframe } from '../../../terminal/keyframes/keyframe.ts';
import { KeyframeSchedule } from '../../../terminal/keyframes/keyframeSchedule.ts';
import type { TerminalSize } from '../../../base/terminalSize.ts';
import { ChangingScreen, type TextRow } from '../changingScreen.ts';

export interface ScreenTextOptions {
  readonly size: TerminalSize;
  readonly unicodeVersion?: UnicodeVersion;
  /**
   * Called for each line that a record put on the screen.
   * @param isPassing whether the line left the screen before the record ended
   */
  readonly onLine: (line: string, isPassing: boolean) => void;
  /** Called with the keyframes that are due while playing. */
  readonly onKeyframe?: (keyframe: Keyframe) => void;
}

/** Plays a recording and reports each line that appears, even if it is overwritten later. */
export class ScreenText {
  readonly #options: ScreenTextOptions;
  readonly #screen: ChangingScreen;
  readonly #schedule = new KeyframeSchedule();
  /** Lines that were on the screen before the current record; a line that only moved is not new. */
  #shown = new Set<string>();

  constructor(options: ScreenTextOptions) {
    this.#options = options;
    this.#screen = new ChangingScreen(options.size, options.unicodeVersion);
  }

  play(record: AhrRecord): void {
    this.#screen.play(record);
    if (record.kind === 'data') this.#reportNewLines();
    else if (record.kind === 'resize') this.#shown = new Set(joinWrapped(this.#screen.textRows()));
    const keyframe = this.#schedule.afterRecord(this.#screen.model, record);
    if (keyframe) this.#options.onKeyframe?.(keyframe);
  }

  dispose(): void {
    this.#screen.dispose();
  }

  #reportNewLines(): void {
    const change = this.#screen.takeChange();
    if (!change) return;
    const lines = new Set(joinWrapped(change.rows));
    for (const line of joinWrapped(change.scrolledOff)) {
      if (!this.#shown.has(line) && !lines.has(line)) this.#options.onLine(line, true);
    }
    for (const line of lines) if (!this.#shown.has(line)) this.#options.onLine(line, false);
    this.#shown = lines;
  }
}

/** Joins wrapped rows into lines and drops blank lines. */
function joinWrapped(rows: readonly TextRow[]): string[] {
  const lines: string[] = [];
  for (const { text, isWrapped } of rows) {
    if (isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}
