import { isInteractiveShell, startsAgent } from '../../../agents/common/shellSession.ts';
import type { AhrRecord } from '../../../recording/format/records.ts';
import type { HistoryLine } from '../../common/transcript/lineText.ts';
import type { PromptWait } from '../../common/transcript/shellInput.ts';
import { ScreenHistory } from '../../common/transcript/screenHistory.ts';
import { thinOut, type KeptLine } from '../../common/transcript/thinOut.ts';
import type { Foreground } from './foreground.ts';
import { RecordPass } from './recordPass.ts';
import type { ReadWriteLock } from './readWriteLock.ts';
import type { TimelineRecording } from '../timelineRecording.ts';

/** With more lines, a document becomes slow, so the middle of long output is omitted. */
const MAX_LINES = 60_000;
const THINNED_LINES = 40_000;

/** Plays a recording and collects the lines of its transcript. */
export class TranscriptPass extends RecordPass {
  readonly #history: ScreenHistory;
  readonly #places: () => readonly number[];
  #lines: KeptLine[] = [];

  /** @param places byte offsets of the moments, ascending */
  constructor(
    recording: TimelineRecording,
    lock: ReadWriteLock,
    foreground: Foreground,
    places: () => readonly number[],
  ) {
    super(recording, lock, foreground);
    this.#places = places;
    const { size, unicodeVersion, command } = recording;
    this.#history = new ScreenHistory({
      size,
      unicodeVersion,
      ...(isInteractiveShell(command) && { shell: { isAgent: startsAgent } }),
      onLine: (line) => this.#add(line),
    });
  }

  /** The lines so far, including those still on the screen. */
  get lines(): readonly KeptLine[] {
    return [...this.#lines, ...this.#history.shown].sort((a, b) => a.order - b.order);
  }

  /** Where a shell waited for a command. */
  get promptWaits(): readonly PromptWait[] {
    return this.#history.promptWaits;
  }

  override dispose(): void {
    super.dispose();
    this.#history.dispose();
  }

  protected override play(record: AhrRecord): void {
    this.#history.play(record);
  }

  /**
   * Inserts a line in reading order: a line that stays on the screen for long is reported after
   * newer lines.
   */
  #add(line: HistoryLine): void {
    const at = this.#lines.findLastIndex(({ order }) => order <= line.order) + 1;
    this.#lines.splice(at, 0, line);
    if (this.#lines.length > MAX_LINES) {
      this.#lines = thinOut(this.#lines, this.#places(), THINNED_LINES);
    }
  }
}
