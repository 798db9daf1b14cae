import { MAX_TERMINAL_SIDE } from '../../base/terminalLimits.ts';
import { WholeCharacters } from '../../base/wholeCharacters.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ClientModes } from '../draw/clientModes.ts';
import { historyStream } from '../draw/historyStream.ts';
import { Hyperlinks } from '../draw/hyperlinks.ts';
import { LineHistory } from './lineHistory.ts';
import { RowView } from './rowView.ts';
import { ScreenRows } from './screenRows.ts';
import { serializeScreen, type SerializedScreen } from '../draw/serializer.ts';
import { TerminalColors } from '../draw/terminalColors.ts';
import { UnfinishedSequence } from './unfinishedSequence.ts';
import type { ScreenBuffer, ScreenLine, TerminalSize } from './screenTypes.ts';
import { XtermTerminal } from './xtermInternals.ts';

export interface TerminalModelOptions {
  readonly size: TerminalSize;
  /** Lines that have left the screen and are kept for clients that attach later. */
  readonly historyLines?: number;
  /** A line left the main screen at the top and can no longer change. The view is valid during the call. */
  readonly onLine?: (line: RowView) => void;
  /** All lines that have left were erased (ED 3, RIS). */
  readonly onHistoryCleared?: () => void;
}

/** A moment of a model, complete but for the lines that had left. */
export interface CapturedState {
  readonly size: TerminalSize;
  readonly byteOffset: number;
  /** For a fresh terminal of that size. */
  readonly stream: Uint8Array;
  /** `last_write_byte` of the rows of either screen; empty for an alternate screen that is not active. */
  readonly normalLastWriteBytes: readonly number[];
  readonly alternateLastWriteBytes: readonly number[];
}

const DEFAULT_HISTORY_LINES = 1000;

const encoder = new TextEncoder();

/**
 * The terminal a program writes to: the screen as it is after every byte so far, and which byte last changed each row. Lines
 * that scroll off the main screen are handed out and, but for the last few, forgotten, so that memory does not grow.
 */
export class TerminalModel implements Disposable {
  readonly #xterm: XtermTerminal;
  readonly #links: Hyperlinks;
  readonly #linkOf = (urlId: number) => this.#links.getLinkData(urlId);
  readonly #history: LineHistory;
  readonly #onLine: ((line: RowView) => void) | undefined;
  readonly #onHistoryCleared: (() => void) | undefined;
  readonly #replies = new Emitter<Uint8Array>();
  readonly #colors: TerminalColors;
  readonly #clientModes: ClientModes;
  readonly #unfinished = new UnfinishedSequence();
  readonly #characters = new WholeCharacters();
  readonly #rows: ScreenRows;

  /** Answers to queries of the program (device attributes, cursor position, colours, …); forward them to it, or not. */
  readonly onReply: Event<Uint8Array> = this.#replies.event;

  constructor(options: TerminalModelOptions) {
    this.#xterm = new XtermTerminal(bounded(options.size));
    this.#colors = new TerminalColors(this.#xterm, (text) => this.#reply(text));
    this.#clientModes = new ClientModes(this.#xterm);
    this.#history = new LineHistory(options.historyLines ?? DEFAULT_HISTORY_LINES);
    this.#onLine = options.onLine;
    this.#onHistoryCleared = options.onHistoryCleared;
    this.#links = new Hyperlinks(
      () => this.#linesInUse(),
      () => [this.#xterm.attributes.extended.urlId],
    );
    this.#xterm.replaceLinkService(this.#links);
    this.#rows = new ScreenRows(this.#xterm, this.#linkOf, (line, cols, lastWriteByte) => {
      this.#history.add(line, cols, lastWriteByte);
      this.#onLine?.(new RowView(line, cols, lastWriteByte, this.#linkOf));
    });
    this.#xterm.terminal.onData((data) => this.#reply(data));
    this.#followErasures();
  }

  /** As the terminal has it: at least 2 columns and 1 row, and no more than a terminal can have. */
  get size(): TerminalSize {
    return this.#xterm.size;
  }

  get title(): string {
    return this.#xterm.title;
  }

  /** End of what was written so far, in bytes from the start of the recording. */
  get byteOffset(): number {
    return this.#rows.byteOffset;
  }

  get isAlternateScreen(): boolean {
    return this.#xterm.active === this.#xterm.alternate;
  }

  /** From 0; `column` is one past the last while the cursor waits to wrap. */
  get cursor(): { readonly row: number; readonly column: number; readonly isVisible: boolean } {
    const { x, y } = this.#xterm.active;
    return { row: y, column: x, isVisible: !this.#xterm.isCursorHidden };
  }

  /**
   * Applies the bytes before returning; one call per data record, because rows get their `last_write_byte` per call.
   * @param endByteOffset bytes of the recording up to and including these
   */
  write(bytes: Uint8Array, endByteOffset: number): void {
    this.#rows.byteOffset = endByteOffset;
    if (bytes.length === 0) return;
    this.#xterm.parse(this.#characters.take(bytes));
    this.#rows.settle();
    if (this.#xterm.isInSequence) this.#unfinished.extend(bytes);
    else this.#unfinished.setCharacter(this.#characters.held);
  }

  resize(size: TerminalSize): void {
    this.#rows.resize(bounded(size));
  }

  /** The rows of the active screen, top first. */
  rows(): RowView[] {
    return this.#rows.viewsOf(this.#xterm.active);
  }

  /** The rows of the main screen, whichever is active. */
  mainScreenRows(): RowView[] {
    return this.#rows.viewsOf(this.#xterm.normal);
  }

  /**
   * Whether a moment can be restored exactly: between sequences and characters, with nothing on the screen or in force that
   * no stream can say. Almost always true at the end of a record, and never false for long.
   */
  canCut(): boolean {
    return this.#isAtRest && this.#serialize().losses.size === 0;
  }

  /** Everything a model needs to go on from here as this one would; nothing where `canCut` is false. */
  captureState(): CapturedState | undefined {
    if (!this.#isAtRest) return undefined;
    const { stream, losses } = this.#serialize();
    if (losses.size > 0) return undefined;
    const offsets = (buffer: ScreenBuffer): number[] =>
      this.#rows.viewsOf(buffer).map((row) => row.lastWriteByte);
    return {
      size: this.size,
      byteOffset: this.byteOffset,
      stream: encoder.encode(stream),
      normalLastWriteBytes: offsets(this.#xterm.normal),
      alternateLastWriteBytes: offsets(this.#xterm.alternate),
    };
  }

  /** A model in a captured state. Its history begins there. */
  static restore(
    state: CapturedState,
    options: Omit<TerminalModelOptions, 'size'> = {},
  ): TerminalModel {
    const model = new TerminalModel({ ...options, size: state.size });
    model.#xterm.parse(state.stream);
    model.#rows.byteOffset = state.byteOffset;
    model.#rows.adopt(state.normalLastWriteBytes, state.alternateLastWriteBytes);
    return model;
  }

  /**
   * The state as a stream for a fresh terminal of the same size, after which it shows and does the same: with the last
   * `historyLines` lines in its scrollback. It holds no queries, and ends with what there is of an unfinished sequence, so
   * that the program's next bytes can follow.
   */
  serializeState(options: { readonly historyLines?: number } = {}): Uint8Array {
    const history = this.#history.last(options.historyLines ?? 0);
    const stream = historyStream(history, this.size, this.#linkOf) + this.#serialize().stream;
    return this.#unfinished.appendTo(encoder.encode(stream));
  }

  /** The emulator behind the model, to look at; writing to it would leave the model behind. */
  get emulator(): XtermTerminal {
    return this.#xterm;
  }

  dispose(): void {
    this.#replies.dispose();
    this.#xterm.dispose();
  }

  /** Between sequences and characters. */
  get #isAtRest(): boolean {
    return this.#xterm.isAtRest && this.#characters.held.length === 0;
  }

  #followErasures(): void {
    const { parser } = this.#xterm.terminal;
    const onErase = (parameters: readonly (number | number[])[]): boolean => {
      if (parameters[0] === 3 && !this.isAlternateScreen) this.#clearHistory();
      return false;
    };
    parser.registerCsiHandler({ final: 'J' }, onErase);
    parser.registerCsiHandler({ prefix: '?', final: 'J' }, onErase);
    this.#xterm.onReset(() => this.#clearHistory());
  }

  #reply(text: string): void {
    this.#replies.fire(encoder.encode(text));
  }

  #serialize(): SerializedScreen {
    return serializeScreen(this.#xterm, this.#linkOf, {
      stream: this.#colors.stream + this.#clientModes.stream,
      screenStream: (screen) => this.#clientModes.keyboardStream(screen),
    });
  }

  #clearHistory(): void {
    this.#history.clear();
    this.#onHistoryCleared?.();
  }

  *#linesInUse(): Generator<ScreenLine> {
    yield* this.#history.lines();
    for (const { lines } of [this.#xterm.normal, this.#xterm.alternate]) {
      for (let row = 0; row < lines.length; row++) yield lines.get(row)!;
    }
  }
}

/** A recording may claim 65,535 rows of 65,535 cells, which no memory holds. */
function bounded({ cols, rows }: TerminalSize): TerminalSize {
  return { cols: Math.min(cols, MAX_TERMINAL_SIDE), rows: Math.min(rows, MAX_TERMINAL_SIDE) };
}
