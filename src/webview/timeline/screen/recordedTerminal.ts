import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal, type IBufferLine, type ITerminalOptions } from '@xterm/xterm';
import { limitLinks, limitRepetition, repeatedOnScreen } from '../../../base/terminalLimits.ts';
import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import { dropSoftHyphens } from '../../../base/softHyphens.ts';
import { WholeCharacters } from '../../../base/wholeCharacters.ts';
import type { PlaybackScreen, ScreenState } from '../../../timeline/common/playback/playback.ts';
import { inputHandler } from './inputHandler.ts';

/** xterm.js parses a piece without interruption: at worst, a piece of this size takes 0.1 s. */
const PIECE_BYTES = 1024;
/**
 * Resets what xterm.js's own reset keeps: an unfinished sequence, cursor visibility and style,
 * newline mode, and colors. Needed because the bytes of a state expect a fresh terminal.
 */
const FRESH =
  '\x18\x1b[!p\x1b[20l\x1b[?12l\x1b[0 q\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07';
/** Ends an unfinished synchronized update, so that its output becomes visible. */
const END_SYNCHRONIZED = '\x1b[?2026l';

/** A terminal for recorded output, which must not cause any action: no input, no replies. */
export class RecordedTerminal implements PlaybackScreen {
  readonly xterm: Terminal;
  #characters = new WholeCharacters();

  constructor(options: ITerminalOptions = {}) {
    this.xterm = new Terminal({
      ...options,
      disableStdin: true,
      // Needed only to select the Unicode version.
      allowProposedApi: true,
      scrollback: 0,
    });
    this.xterm.attachCustomKeyEventHandler(() => false);
    const handler = inputHandler(this.xterm);
    dropSoftHyphens(handler);
    limitRepetition(handler._parser, () => {
      const { cols, rows } = this.xterm;
      return { cols, rows, characters: (count) => repeatedOnScreen(count, cols, rows) };
    });
    limitLinks(this.xterm.parser);
    this.xterm.loadAddon(new Unicode11Addon());
  }

  /**
   * Unicode version of the program's terminal, for the widths of characters written from now on.
   */
  set unicodeVersion(version: UnicodeVersion) {
    this.xterm.unicode.activeVersion = version;
  }

  get cols(): number {
    return this.xterm.cols;
  }

  get rows(): number {
    return this.xterm.rows;
  }

  visibleRows(): (IBufferLine | undefined)[] {
    const { active } = this.xterm.buffer;
    return Array.from({ length: this.xterm.rows }, (_, row) =>
      active.getLine(active.viewportY + row),
    );
  }

  async reset({ cols, rows, bytes }: ScreenState): Promise<void> {
    // Wait for earlier writes, which would otherwise appear after the reset.
    await this.#parsed('');
    this.xterm.reset();
    this.#characters = new WholeCharacters();
    if (cols !== this.xterm.cols || rows !== this.xterm.rows) this.xterm.resize(cols, rows);
    this.xterm.write(FRESH);
    await this.write(bytes);
    await this.rest();
  }

  async rest(): Promise<void> {
    await this.#parsed('');
    if (this.xterm.modes.synchronizedOutputMode) await this.#parsed(END_SYNCHRONIZED);
  }

  write(bytes: Uint8Array): Promise<void> {
    const take = (from: number, to?: number) => this.#characters.take(bytes.subarray(from, to));
    let at = 0;
    for (; at + PIECE_BYTES < bytes.length; at += PIECE_BYTES) {
      this.xterm.write(take(at, at + PIECE_BYTES));
    }
    return this.#parsed(take(at));
  }

  /** Resolves when the terminal has parsed this and all earlier data. */
  #parsed(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.xterm.write(data, resolve));
  }
}
