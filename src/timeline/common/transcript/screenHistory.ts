import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import type { AhrRecord } from '../../../recording/format/records.ts';
import type { TerminalSize } from '../../../terminal/screen/screenTypes.ts';
import { ChangingScreen } from '../changingScreen.ts';
import { readableLines, type HistoryLine, type ReadableLine } from './lineText.ts';
import { PreviousLines, type ShownLine } from './previousLines.ts';

/** Lines that disappear sooner are animations, or words that are still being typed. */
const MIN_VISIBLE_NS = 1_000_000_000n;
/** Lines remembered, so that lines that a menu covered are not reported again. */
const REMEMBERED = 200;
/** Most rows to wait for the end of a synchronized update, which a program may never send. */
const MAX_WAITING = 5000;
/** The row of a line that has scrolled off the screen. */
const ABOVE = -1;

interface Screen {
  shown: ShownLine[];
}

/**
 * Collects what a person could read on a screen over time, each line once: lines that scrolled off,
 * and lines that were overwritten or cleared after they had been visible for a while. A line that
 * changes while it is typed, counts seconds or shows a spinner counts as one line.
 */
export class ScreenHistory {
  readonly #screen: ChangingScreen;
  readonly #main: Screen = { shown: [] };
  readonly #alternate: Screen = { shown: [] };
  /** Lines that a program scrolled out of its screen, and lines that it covered. */
  readonly #scrolled = new RecentTexts(REMEMBERED);
  readonly #covered = new RecentTexts(REMEMBERED);
  readonly #onLine: (line: HistoryLine) => void;
  #order = 0;

  /** @param onLine called with each line that will not change any more, in any order */
  constructor(
    size: TerminalSize,
    onLine: (line: HistoryLine) => void,
    unicodeVersion?: UnicodeVersion,
  ) {
    this.#onLine = onLine;
    this.#screen = new ChangingScreen(size, unicodeVersion);
  }

  play(record: AhrRecord): void {
    this.#screen.play(record);
    if (record.kind === 'data' || record.kind === 'resize') this.#update(record.tsNs);
  }

  /** Lines on the screens now that have not been reported yet. */
  get shown(): readonly HistoryLine[] {
    return [...this.#main.shown, ...this.#alternate.shown]
      .filter(({ isReported }) => !isReported)
      .sort((a, b) => a.order - b.order);
  }

  dispose(): void {
    this.#screen.dispose();
  }

  #update(tsNs: bigint): void {
    const { synchronizedOutput } = this.#screen.model.emulator.modes;
    if (synchronizedOutput && this.#screen.scrolledOffRows < MAX_WAITING) return;
    const change = this.#screen.takeChange();
    if (!change) return;
    const { isAlternate, wasAlternate } = change;
    const left = readableLines(change.scrolledOff);
    // A program that leaves the alternate screen clears it.
    if (wasAlternate && !isAlternate) this.#compare(this.#alternate, [], [], tsNs);
    // Lines scroll off the main screen only, here just before the program switched to the alternate
    // one.
    if (isAlternate && left.length > 0) this.#compare(this.#main, [], left, tsNs);
    const screen = isAlternate ? this.#alternate : this.#main;
    this.#compare(screen, readableLines(change.rows), isAlternate ? [] : left, tsNs);
  }

  #compare(
    screen: Screen,
    lines: readonly ReadableLine[],
    left: readonly ReadableLine[],
    tsNs: bigint,
  ): void {
    const { byteOffset } = this.#screen.model;
    const gone = new PreviousLines(screen.shown);
    // Match equal lines first, so that none of them is taken for an earlier form of another line.
    const all = [...left.map(({ text }) => ({ text, row: ABOVE })), ...lines];
    const same = all.map((line) => gone.take(line));
    for (const line of gone.takeScrolled()) {
      this.#report(line);
      this.#scrolled.add(line.text);
    }
    const isReturning = (row: number) => gone.movedDownBelow(row);
    const now = all.map(({ text, row }, index): ShownLine => {
      const found = same[index];
      if (found) return { ...found, row };
      const isReported = this.#covered.has(text) || (this.#scrolled.has(text) && isReturning(row));
      const order = this.#order++;
      const place = { order, firstByte: byteOffset, lastByte: byteOffset, tsNs, lastNs: tsNs };
      if (isReported) return { text, row, ...place, isReported };
      const before = gone.takeContinued(text, row);
      if (!before) return { text, row, ...place };
      return { ...before, text, row, lastByte: byteOffset, lastNs: tsNs };
    });
    for (const line of now.slice(0, left.length)) this.#report(line);
    for (const line of gone.rest()) {
      if (tsNs - line.tsNs < MIN_VISIBLE_NS) continue;
      this.#report(line);
      this.#covered.add(line.text);
    }
    screen.shown = this.#inReadingOrder(now.slice(left.length), tsNs);
  }

  /** Renumbers recent lines below a new one: programs draw the lines of a screen in any order. */
  #inReadingOrder(lines: readonly ShownLine[], tsNs: bigint): ShownLine[] {
    const { byteOffset } = this.#screen.model;
    let isBelowNew = false;
    return lines.map((line) => {
      if (line.firstByte === byteOffset && !line.isReported) isBelowNew = true;
      const isYoung = tsNs - line.tsNs < MIN_VISIBLE_NS;
      if (!isBelowNew || !isYoung) return line;
      return { ...line, order: this.#order++, firstByte: byteOffset };
    });
  }

  #report({ text, order, firstByte, lastByte, tsNs, lastNs, isReported }: ShownLine): void {
    if (!isReported) this.#onLine({ text, order, firstByte, lastByte, tsNs, lastNs });
  }
}

/** A set of the most recent texts. */
class RecentTexts {
  readonly #texts = new Set<string>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    this.#texts.delete(text);
    this.#texts.add(text);
    const [oldest] = this.#texts;
    if (this.#texts.size > this.#size && oldest !== undefined) this.#texts.delete(oldest);
  }
}
