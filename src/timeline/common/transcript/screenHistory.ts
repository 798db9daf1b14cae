import type { AhrRecord } from '../../../recording/format/records.ts';
import { playRecord } from '../../../terminal/keyframes/playRecord.ts';
import { RowTextBatch } from '../../../terminal/screen/rowText.ts';
import type { RowView } from '../../../terminal/screen/rowView.ts';
import type { TerminalSize } from '../../../terminal/screen/screenTypes.ts';
import { TerminalModel } from '../../../terminal/screen/terminalModel.ts';
import { GoneLines, type ShownLine } from './goneLines.ts';
import { readable, type ReadableLine } from './lineText.ts';

/** What was overwritten sooner was an animation, or a word on its way to being typed; nobody has read it. */
const STAY_NS = 1_000_000_000n;
/** Lines that something covered for a while, a question or a menu, come back: they are not told again. */
const REMEMBERED = 200;
/** A program may never say that its picture is whole. */
const MAX_WAITING = 5000;
/** The row of a line that has left the screen. */
const ABOVE = -1;

/** A line that was on the screen. */
export interface HistoryLine {
  readonly text: string;
  /** Lines are read in this order: that in which they came, from the top of the screen where several came at once. */
  readonly order: number;
  /** Output up to the end of the record that first showed it. Ascends with the order. */
  readonly firstByte: number;
  /** Output up to the end of the record that wrote it last. */
  readonly lastByte: number;
  /** When it first showed. */
  readonly tsNs: bigint;
  /** When it was written last. */
  readonly lastNs: bigint;
}

interface Screen {
  shown: ShownLine[];
}

/**
 * What a person could read on a screen over time, each line once: lines that left it at the top, and lines that were
 * overwritten or cleared after they had stayed for a while. A line that is typed, counts seconds or turns a wheel is one line.
 */
export class ScreenHistory {
  readonly #model: TerminalModel;
  readonly #batch = new RowTextBatch();
  readonly #main: Screen = { shown: [] };
  readonly #alternate: Screen = { shown: [] };
  /** What the program moved out of its screen, and what it put something else in the place of. */
  readonly #scrolled = new RecentTexts(REMEMBERED);
  readonly #covered = new RecentTexts(REMEMBERED);
  readonly #onLine: (line: HistoryLine) => void;
  #left: { text: string; isWrapped: boolean }[] = [];
  #isAlternate = false;
  #order = 0;

  /** @param onLine told of each line that will not change any more, in any order */
  constructor(size: TerminalSize, onLine: (line: HistoryLine) => void) {
    this.#onLine = onLine;
    this.#model = new TerminalModel({
      ...{ size, historyLines: 0 },
      onLine: ({ text, isWrapped }) => this.#left.push({ text, isWrapped }),
    });
  }

  play(record: AhrRecord): void {
    playRecord(this.#model, record);
    if (record.kind === 'data' || record.kind === 'resize') this.#look(record.tsNs);
  }

  /** What is on the screens now, will be told once it has left, and has not been told already. */
  get shown(): readonly HistoryLine[] {
    return [...this.#main.shown, ...this.#alternate.shown]
      .filter(({ isTold }) => !isTold)
      .sort((a, b) => a.order - b.order);
  }

  dispose(): void {
    this.#model.dispose();
  }

  #look(tsNs: bigint): void {
    const { byteOffset, isAlternateScreen } = this.#model;
    // Half of a picture that the program said is to be shown as a whole.
    const isHalf = this.#model.emulator.modes.synchronizedOutput;
    if (isHalf && this.#left.length < MAX_WAITING) return;
    const rows = this.#model.rows();
    const hasChanged =
      this.#left.length > 0 ||
      this.#isAlternate !== isAlternateScreen ||
      rows.some(({ lastWriteByte }) => lastWriteByte === byteOffset);
    if (!hasChanged) return;
    const left = readable(this.#left);
    this.#left = [];
    // A program that leaves its screen leaves nothing on it.
    if (this.#isAlternate && !isAlternateScreen) this.#compare(this.#alternate, [], [], tsNs);
    this.#isAlternate = isAlternateScreen;
    const screen = isAlternateScreen ? this.#alternate : this.#main;
    // Lines leave the main screen for good, and a moment before the program changed to its own.
    if (isAlternateScreen && left.length > 0) this.#compare(this.#main, [], left, tsNs);
    this.#compare(screen, this.#linesOf(rows), isAlternateScreen ? [] : left, tsNs);
  }

  #compare(
    screen: Screen,
    lines: readonly ReadableLine[],
    left: readonly ReadableLine[],
    tsNs: bigint,
  ): void {
    const { byteOffset } = this.#model;
    const gone = new GoneLines(screen.shown);
    // Those that are still the same first: a line must not be taken for what another has become.
    const all = [...left.map(({ text }) => ({ text, row: ABOVE })), ...lines];
    const same = all.map((line) => gone.take(line));
    for (const line of gone.takeScrolled()) {
      this.#tell(line);
      this.#scrolled.add(line.text);
    }
    const isReturning = (row: number) => gone.movedDownBelow(row);
    const now = all.map(({ text, row }, index): ShownLine => {
      const found = same[index];
      if (found) return { ...found, row };
      const isTold = this.#covered.has(text) || (this.#scrolled.has(text) && isReturning(row));
      const order = this.#order++;
      const place = { order, firstByte: byteOffset, lastByte: byteOffset, tsNs, lastNs: tsNs };
      if (isTold) return { text, row, ...place, isTold };
      const before = gone.takeContinued(text, row);
      if (!before) return { text, row, ...place };
      return { ...before, text, row, lastByte: byteOffset, lastNs: tsNs };
    });
    for (const line of now.slice(0, left.length)) this.#tell(line);
    for (const line of gone.rest()) {
      if (tsNs - line.tsNs < STAY_NS) continue;
      this.#tell(line);
      this.#covered.add(line.text);
    }
    screen.shown = this.#inReadingOrder(now.slice(left.length), tsNs);
  }

  /** Something above a line that is as new was drawn after it: they are read in the order of the screen all the same. */
  #inReadingOrder(lines: readonly ShownLine[], tsNs: bigint): ShownLine[] {
    const { byteOffset } = this.#model;
    let isBelowNew = false;
    return lines.map((line) => {
      if (line.firstByte === byteOffset && !line.isTold) isBelowNew = true;
      const isYoung = tsNs - line.tsNs < STAY_NS;
      if (!isBelowNew || !isYoung) return line;
      return { ...line, order: this.#order++, firstByte: byteOffset };
    });
  }

  #tell({ text, order, firstByte, lastByte, tsNs, lastNs, isTold }: ShownLine): void {
    if (!isTold) this.#onLine({ text, order, firstByte, lastByte, tsNs, lastNs });
  }

  #linesOf(rows: readonly RowView[]): ReadableLine[] {
    for (const row of rows) row.addTextTo(this.#batch);
    const texts = this.#batch.take();
    return readable(texts.map((text, row) => ({ text, isWrapped: rows[row]!.isWrapped })));
  }
}

/** The last few texts. */
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
