import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import type { AhrRecord, DataRecord } from '../../../recording/format/records.ts';
import { lineAt } from '../../../terminal/screen/cells.ts';
import type { TerminalSize } from '../../../base/terminalSize.ts';
import { ChangingScreen, type ScreenChange } from '../changingScreen.ts';
import { readableLines, type HistoryLine, type ReadableLine } from './lineText.ts';
import { LinesAbove } from './linesAbove.ts';
import { PreviousLines, type ShownLine } from './previousLines.ts';
import { RecentTexts } from './recentTexts.ts';
import { ShellInput, type PromptWait, type ShellOptions, type ShellPart } from './shellInput.ts';

/** Lines that disappear sooner are animations, or words that are still being typed. */
const MIN_VISIBLE_NS = 1_000_000_000n;
/** How many lines are remembered, so that a line that a menu covered is not reported again. */
const REMEMBERED = 200;
/**
 * How many rows may scroll off while the end of a synchronized update is awaited: a program may
 * never send it.
 */
const MAX_WAITING = 5000;

interface Screen {
  shown: ShownLine[];
}

/** The lines of a screen after a change. */
interface ChangedLines {
  readonly shown: readonly ReadableLine[];
  /** Lines that scrolled off. */
  readonly left: readonly ReadableLine[];
  /** Number of rows that scrolled off. */
  readonly scrolled: number;
}

export interface ScreenHistoryOptions {
  readonly size: TerminalSize;
  readonly unicodeVersion?: UnicodeVersion | undefined;
  /** Set for a shell: its prompt and its full-screen programs are treated specially. */
  readonly shell?: ShellOptions | undefined;
  /** Called with each line that will not change any more, in any order. */
  readonly onLine: (line: HistoryLine) => void;
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
  readonly #above = new LinesAbove();
  /** Lines that a program scrolled out of its screen, and lines that it covered. */
  readonly #scrolled = new RecentTexts(REMEMBERED);
  readonly #covered = new RecentTexts(REMEMBERED);
  readonly #shell: ShellInput | undefined;
  readonly #onLine: (line: HistoryLine) => void;
  #order = 0;
  #lastNs = 0n;

  constructor({ size, unicodeVersion, shell, onLine }: ScreenHistoryOptions) {
    this.#onLine = onLine;
    this.#screen = new ChangingScreen(size, unicodeVersion);
    this.#shell = shell && new ShellInput(shell);
  }

  play(record: AhrRecord): void {
    this.#lastNs = record.tsNs;
    if (record.kind === 'data') {
      for (const part of this.#partsOf(record)) this.#playData(part);
    } else {
      this.#screen.play(record);
      if (record.kind === 'resize') this.#update(record.tsNs);
    }
  }

  /** Lines that are on the main or alternate screen now and have not been reported yet. */
  get shown(): readonly HistoryLine[] {
    const summary = this.#summaryUntil(this.#lastNs);
    return [...this.#main.shown, ...this.#alternate.shown, ...summary]
      .filter((line) => !('isReported' in line && line.isReported))
      .sort((a, b) => a.order - b.order);
  }

  dispose(): void {
    this.#screen.dispose();
  }

  /** Where a shell waited for a command; empty unless it announces its commands. */
  get promptWaits(): readonly PromptWait[] {
    return this.#shell?.waits ?? [];
  }

  #partsOf(record: DataRecord): readonly ShellPart[] {
    const shown = this.#screen.model.isAlternateScreen ? undefined : this.#main.shown;
    return this.#shell?.partsOf(record, shown) ?? [{ record, marks: [] }];
  }

  #playData({ record, marks }: ShellPart): void {
    this.#shell?.beforeUpdate(marks);
    this.#screen.play(record);
    this.#update(record.tsNs);
    this.#shell?.afterUpdate(marks, this.#main.shown, this.#order);
  }

  #update(tsNs: bigint): void {
    const { model } = this.#screen;
    if (model.emulator.modes.synchronizedOutput && this.#screen.scrolledOffRows < MAX_WAITING) {
      return;
    }
    const change = this.#screen.takeChange();
    if (change) this.#take(change, tsNs);
    // The cursor may move even if no row has changed.
    const scrolled = change?.scrolledOff.length ?? 0;
    if (!model.isAlternateScreen) this.#shell?.followCursor(this.#cursorRow(), scrolled);
  }

  /** The first row of the cursor's line on the main screen; negative if it is above the screen. */
  #cursorRow(): number {
    const { normal } = this.#screen.model.emulator;
    let row = normal.y;
    while (row > 0 && lineAt(normal, row).isWrapped) row--;
    return row === 0 && lineAt(normal, 0).isWrapped ? -this.#above.rowCount : row;
  }

  #take(change: ScreenChange, tsNs: bigint): void {
    const { isAlternate, wasAlternate, scrolledOff } = change;
    // A program that leaves the alternate screen clears it.
    if (wasAlternate && !isAlternate) this.#leaveAlternate(tsNs);
    // Lines scroll off the main screen only, also just before a program switches to the alternate
    // screen.
    if (!wasAlternate || !isAlternate || scrolledOff.length > 0) {
      const rows = isAlternate
        ? this.#screen.textRows(this.#screen.model.mainScreenRows())
        : change.rows;
      const lines = this.#above.join(scrolledOff, rows);
      this.#compare(this.#main, { ...lines, scrolled: scrolledOff.length }, tsNs);
    }
    if (!isAlternate) return;
    if (!wasAlternate) this.#enterAlternate(tsNs);
    if (this.#shell?.fullScreen) return;
    this.#compare(
      this.#alternate,
      { shown: readableLines(change.rows), left: [], scrolled: 0 },
      tsNs,
    );
  }

  #enterAlternate(tsNs: bigint): void {
    const { model } = this.#screen;
    const start = { order: this.#order, firstByte: model.byteOffset, tsNs };
    const row = model.emulator.normal.y;
    const line = this.#main.shown.findLast((each) => each.row <= row)?.text;
    if (this.#shell?.enterFullScreen(line, start)) this.#order++;
  }

  #leaveAlternate(tsNs: bigint): void {
    for (const line of this.#summaryUntil(tsNs)) this.#onLine(line);
    this.#shell?.leaveFullScreen();
    this.#compare(this.#alternate, { shown: [], left: [], scrolled: 0 }, tsNs);
  }

  #summaryUntil(tsNs: bigint): HistoryLine[] {
    const line = this.#shell?.fullScreen?.lineUntil(this.#screen.model.byteOffset, tsNs);
    return line && line.lastNs - line.tsNs >= MIN_VISIBLE_NS ? [line] : [];
  }

  #compare(screen: Screen, { shown, left, scrolled }: ChangedLines, tsNs: bigint): void {
    const { byteOffset } = this.#screen.model;
    const gone = new PreviousLines(screen.shown);
    const all = [...left, ...shown];
    const place = { cursor: this.#cursorRow(), scrolled };
    const edited = screen === this.#main ? this.#shell?.takeEdited(gone, all, place) : undefined;
    // Match equal lines first, so that none of them is taken for an earlier form of another line.
    const same = all.map((line, index) => (edited?.has(index) ? undefined : gone.take(line)));
    for (const line of gone.takeScrolled()) {
      this.#report(line);
      this.#scrolled.add(line.text);
    }
    const isReturning = (row: number) => gone.movedDownBelow(row);
    // A shell prints the same lines again after it has cleared its screen.
    const mayRepeat = this.#shell !== undefined && screen === this.#main;
    const now = all.map(({ text, row }, index): ShownLine => {
      const found = same[index];
      if (found) return { ...found, row };
      const changed = { text, row, lastByte: byteOffset, lastNs: tsNs };
      const before = edited?.get(index);
      if (before?.text === text) return { ...before, row };
      if (before) return { ...before, ...changed, isReported: false };
      const isReported =
        (!mayRepeat && this.#covered.has(text)) || (this.#scrolled.has(text) && isReturning(row));
      const order = this.#order++;
      const added = { ...changed, order, firstByte: byteOffset, tsNs };
      if (isReported) return { ...added, isReported };
      const continued = gone.takeContinued(text, row + scrolled);
      return continued ? { ...continued, ...changed } : added;
    });
    for (const line of now.slice(0, left.length)) this.#report(line);
    for (const line of gone.rest()) {
      if (this.#isPassing(line, tsNs)) continue;
      this.#report(line);
      this.#covered.add(line.text);
    }
    screen.shown = this.#inReadingOrder(now.slice(left.length), tsNs);
  }

  /** Whether a line that is gone was an animation, or part of a menu of the prompt. */
  #isPassing({ row, order, tsNs }: ShownLine, nowNs: bigint): boolean {
    // A line that starts above the screen has partly scrolled off, so it was no animation or menu.
    if (row < 0) return false;
    return nowNs - tsNs < MIN_VISIBLE_NS || this.#shell?.isMenu(order) === true;
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
