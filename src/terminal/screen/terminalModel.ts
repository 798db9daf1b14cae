import { MAX_TERMINAL_SIDE } from '../../base/terminalLimits.ts';
import { WholeCharacters } from '../../base/wholeCharacters.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { ClientModes } from '../draw/clientModes.ts';
import { historyStream } from '../draw/historyStream.ts';
import { Hyperlinks } from '../draw/hyperlinks.ts';
import { LineHistory } from './lineHistory.ts';
import { RowView } from './rowView.ts';
import { ScreenRows } from './screenRows.ts';
import { serializeScreen, type SerializedScreen } from '../draw/serializer.ts';
import { TerminalColors } from '../draw/terminalColors.ts';
import { UnfinishedSequence } from './unfinishedSequence.ts';
import { lineAt } from './cells.ts';
import type { ScreenBuffer, ScreenLine } from './screenTypes.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { XtermTerminal } from './xtermInternals.ts';

export interface TerminalModelOptions {
  readonly size: TerminalSize;
  /** Version of the character widths; VS Code's default if undefined. */
  readonly unicodeVersion?: UnicodeVersion | undefined;
  /** Number of scrollback lines for attaching clients. */
  readonly historyLines?: number;
  /**
   * Called with a line that scrolled off the main screen and can no longer change. The line is
   * valid only during the call.
   */
  readonly onLine?: (line: RowView) => void;
  /** Called when the scrollback was erased (ED 3, RIS). */
  readonly onHistoryCleared?: () => void;
}

/** The complete state of a model, without its scrollback. */
export interface CapturedState {
  readonly size: TerminalSize;
  readonly byteOffset: number;
  /** Restores the state in a fresh terminal of this size. */
  readonly stream: Uint8Array;
  /**
   * `last_write_byte` of each row of the screen; empty for an alternate screen that is not active.
   */
  readonly normalLastWriteBytes: readonly number[];
  readonly alternateLastWriteBytes: readonly number[];
}

const DEFAULT_HISTORY_LINES = 1000;

const encoder = new TextEncoder();

/**
 * The program's terminal: the current screen, and the byte that last changed each row. Passes lines
 * that scroll off the main screen to `onLine` and keeps only the last few, so that memory does not
 * grow.
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

  /** Replies to queries of the program (device attributes, cursor position, colors, …). */
  readonly onReply: Event<Uint8Array> = this.#replies.event;

  constructor(options: TerminalModelOptions) {
    this.#xterm = new XtermTerminal(bounded(options.size), options.unicodeVersion);
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

  /** The actual size: at least 2 columns and 1 row, at most `MAX_TERMINAL_SIDE` of each. */
  get size(): TerminalSize {
    return this.#xterm.size;
  }

  get title(): string {
    return this.#xterm.title;
  }

  /** End of the written bytes, counted from the start of the recording. */
  get byteOffset(): number {
    return this.#rows.byteOffset;
  }

  get isAlternateScreen(): boolean {
    return this.#xterm.active === this.#xterm.alternate;
  }

  /** Counted from 0; `column` is one past the last while the cursor waits to wrap. */
  get cursor(): { readonly row: number; readonly column: number; readonly isVisible: boolean } {
    const { x, y } = this.#xterm.active;
    return { row: y, column: x, isVisible: !this.#xterm.isCursorHidden };
  }

  /**
   * Parses bytes synchronously. Call it once per data record, because `last_write_byte` is set per
   * call.
   * @param endByteOffset end of these bytes in the recording
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

  /** The rows of the main screen, even if it is not active. */
  mainScreenRows(): RowView[] {
    return this.#rows.viewsOf(this.#xterm.normal);
  }

  /**
   * Whether the current state can be restored exactly: the parser is between sequences and
   * characters, and a stream can express all of the state. Almost always true at the end of a
   * record, and never false for long.
   */
  canCut(): boolean {
    return this.#isAtRest && this.#serialize().losses.size === 0;
  }

  /** What another model needs to continue from here; undefined if {@link canCut} is false. */
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

  /** Creates a model with a captured state and no scrollback. */
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
   * A stream that gives a fresh terminal of the same size this state, with the last `historyLines`
   * lines in its scrollback. Contains no queries, and ends with the unfinished sequence, if any, so
   * that the program's next bytes can follow.
   */
  serializeState(options: { readonly historyLines?: number } = {}): Uint8Array {
    const history = this.#history.last(options.historyLines ?? 0);
    const stream = historyStream(history, this.size, this.#linkOf) + this.#serialize().stream;
    return this.#unfinished.appendTo(encoder.encode(stream));
  }

  /** The emulator of the model. Only read from it: the model does not notice writes. */
  get emulator(): XtermTerminal {
    return this.#xterm;
  }

  dispose(): void {
    this.#replies.dispose();
    this.#xterm.dispose();
  }

  /** Whether the parser is between sequences and between characters. */
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
    for (const buffer of [this.#xterm.normal, this.#xterm.alternate]) {
      for (let row = 0; row < buffer.lines.length; row++) yield lineAt(buffer, row);
    }
  }
}

/** A recording may claim 65,535 rows of 65,535 cells, which do not fit into memory. */
function bounded({ cols, rows }: TerminalSize): TerminalSize {
  return { cols: Math.min(cols, MAX_TERMINAL_SIDE), rows: Math.min(rows, MAX_TERMINAL_SIDE) };
}
