import type { DataRecord } from '../../../recording/format/records.ts';
import { CommandMarkScanner, type CommandMark } from '../moments/commandMarks.ts';
import { commandAfterPrompt, FullScreen, programOf, type FullScreenStart } from './fullScreen.ts';
import type { ReadableLine } from './lineText.ts';
import type { PreviousLines, ShownLine } from './previousLines.ts';

export interface ShellOptions {
  /** Whether a command starts an agent, whose full-screen text is kept. */
  isAgent(command: string): boolean;
}

/** A part of a record, with the marks that end in it. */
export interface ShellPart {
  readonly record: DataRecord;
  readonly marks: readonly CommandMark[];
}

/** Byte offsets of the end of a command, and of the start of the next. */
export interface PromptWait {
  readonly from: number;
  readonly to: number;
}

const LINE_FEED = 0x0a;

/**
 * Follows the line that the user edits in a shell: the cursor's line, until a line feed. Recalled
 * commands, corrections and completions count as one line. Also knows the running command.
 */
export class ShellInput {
  readonly #options: ShellOptions;
  readonly #marks = new CommandMarkScanner();
  /** First rows of the cursor's line and of the line where the cursor was before. */
  #rows: readonly number[] = [];
  /** The running command, if the shell sent it. */
  #command: string | undefined;
  /** The command has ended, and the shell has not printed its prompt yet. */
  #isPromptDue = false;
  /** While the shell waits for a command: the order of the first line after its prompt. */
  #promptOrder: number | undefined;
  #fullScreen: FullScreen | undefined;
  readonly #waits: PromptWait[] = [];

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** The times at which the shell waited for a command, in order. */
  get waits(): readonly PromptWait[] {
    return this.#waits;
  }

  /** The full-screen program whose text is left out. */
  get fullScreen(): FullScreen | undefined {
    return this.#fullScreen;
  }

  /**
   * Splits a record after its first line feed, where the edited line has its final text, and after
   * each mark, so that the output of a command and the prompt after it are not one change.
   *
   * @param shown the lines of the main screen; undefined while the alternate screen is shown
   */
  partsOf(record: DataRecord, shown: readonly ShownLine[] | undefined): readonly ShellPart[] {
    const { bytes, startByteOffset } = record;
    const marks = this.#marks.scan(bytes, startByteOffset);
    const lineEnd = shown && this.#isOn(shown) ? bytes.indexOf(LINE_FEED) + 1 : 0;
    const ends = [lineEnd, ...marks.map(({ byteOffset }) => byteOffset - startByteOffset)];
    const cuts = [...new Set(ends.filter((end) => end > 0 && end < bytes.length))];
    const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
    return places.slice(1).map((end, index) => {
      const from = places[index] ?? 0;
      const part = bytes.subarray(from, end);
      return {
        record: { ...record, bytes: part, startByteOffset: startByteOffset + from },
        marks: marks.filter(({ byteOffset }) => {
          const at = byteOffset - startByteOffset;
          return at > from && at <= end;
        }),
      };
    });
  }

  beforeUpdate(marks: readonly CommandMark[]): void {
    const started = marks.findLast(({ kind }) => kind === 'started');
    if (!started) return;
    const wait = this.#waits.at(-1);
    if (wait) this.#waits[this.#waits.length - 1] = { ...wait, to: started.byteOffset };
    this.#command = started.command;
    this.#isPromptDue = false;
    this.#promptOrder = undefined;
  }

  /** @param order the order of the next line */
  afterUpdate(marks: readonly CommandMark[], shown: readonly ShownLine[], order: number): void {
    const last = marks.at(-1);
    if (last?.kind === 'finished') {
      this.#waits.push({ from: last.byteOffset, to: Infinity });
      this.#command = undefined;
      this.#isPromptDue = true;
    }
    if (!this.#isPromptDue || !this.#isOn(shown)) return;
    this.#isPromptDue = false;
    this.#promptOrder = order;
  }

  /**
   * @param row the first row of the cursor's line
   * @param scrolled number of rows that scrolled off since the last call
   */
  followCursor(row: number, scrolled: number): void {
    const [last, former] = this.#rows.map((each) => each - scrolled);
    this.#rows = [row, row === last ? former : last].filter((each) => each !== undefined);
  }

  /**
   * Finds the previous form of the edited line: the line that was in its place, unless something
   * else was drawn there.
   *
   * @param cursor the first row of the cursor's line now
   * @returns previous lines, by the indexes of their new forms in `lines`
   */
  takeEdited(
    gone: PreviousLines,
    lines: readonly ReadableLine[],
    { cursor, scrolled }: { readonly cursor: number; readonly scrolled: number },
  ): ReadonlyMap<number, ShownLine> {
    const [last, former] = this.#rows;
    // A shell moves the cursor to the next row and back while it erases the end of a long command.
    const rows = [last, cursor + scrolled === former ? former : undefined];
    const edited = new Map<number, ShownLine>();
    // From the bottom, because the line above tells whether a line is in its place.
    for (const row of rows.filter((each) => each !== undefined).sort((a, b) => b - a)) {
      const index = lines.findIndex((line) => line.row + scrolled === row);
      const above = lines[index - 1];
      const aboveBefore = gone.above(row);
      const isInPlace =
        above?.text === aboveBefore?.text &&
        (above === undefined || above.row + scrolled === aboveBefore?.row);
      const line = index >= 0 && isInPlace ? gone.takeAt(row, scrolled) : undefined;
      if (line) edited.set(index, line);
    }
    return edited;
  }

  /** Whether a line appeared while the shell waited for a command, as completions do. */
  isMenu(order: number): boolean {
    return this.#promptOrder !== undefined && order >= this.#promptOrder;
  }

  /**
   * @param line the last line above the cursor
   * @returns whether the text of the program is left out
   */
  enterFullScreen(line: string | undefined, start: FullScreenStart): boolean {
    const command = this.#command ?? (line === undefined ? undefined : commandAfterPrompt(line));
    const program = command === undefined ? undefined : programOf(command);
    // Keep the text of an unknown program: it may be an agent, whose text is nowhere else.
    if (command === undefined || program === undefined || this.#options.isAgent(command))
      return false;
    this.#fullScreen = new FullScreen(program, start);
    return true;
  }

  leaveFullScreen(): void {
    this.#fullScreen = undefined;
  }

  /** Whether the cursor is on a line with text. */
  #isOn(shown: readonly ShownLine[]): boolean {
    return shown.some(({ row }) => row === this.#rows[0]);
  }
}
