import type { AhrRecord } from '../../recording/format/records.ts';
import { ScreenHistory, type HistoryLine } from '../common/transcript/screenHistory.ts';
import { thinOut, type KeptLine } from '../common/transcript/thinOut.ts';
import type { Foreground } from './foreground.ts';
import { RecordPass } from './recordPass.ts';
import type { SharedGate } from './sharedGate.ts';
import type { TimelineRecording } from './timelineRecording.ts';

/** More than a document that stays quick can hold; past it, the middle of long output is left out. */
const MAX_LINES = 60_000;
const THINNED_LINES = 40_000;

/** Reads what was on the screen over time, as a person would. */
export class TranscriptPass extends RecordPass {
  readonly #history: ScreenHistory;
  readonly #places: () => readonly number[];
  #lines: KeptLine[] = [];

  /** @param places where there are moments, in order */
  constructor(
    recording: TimelineRecording,
    gate: SharedGate,
    foreground: Foreground,
    places: () => readonly number[],
  ) {
    super(recording, gate, foreground);
    this.#places = places;
    this.#history = new ScreenHistory(recording.size, (line) => this.#add(line));
  }

  /** So far; what is on the screen now is last, unless it has been there for longer. */
  get lines(): readonly KeptLine[] {
    return [...this.#lines, ...this.#history.shown].sort((a, b) => a.order - b.order);
  }

  override dispose(): void {
    super.dispose();
    this.#history.dispose();
  }

  protected override play(record: AhrRecord): void {
    this.#history.play(record);
  }

  /** A line that stayed for long is told after younger ones that have left before it. */
  #add(line: HistoryLine): void {
    let at = this.#lines.length;
    while (at > 0 && this.#lines[at - 1]!.order > line.order) at--;
    this.#lines.splice(at, 0, line);
    if (this.#lines.length > MAX_LINES) {
      this.#lines = thinOut(this.#lines, this.#places(), THINNED_LINES);
    }
  }
}
