import { createRequire } from 'node:module';
import type { Unicode11Addon } from '@xterm/addon-unicode11';
import type { Terminal } from '@xterm/headless';
import { WholeCharacters } from '../../../src/base/wholeCharacters.ts';
import type { TerminalSize } from '../../../src/base/terminalSize.ts';

const require = createRequire(import.meta.url);
const headless = require('@xterm/headless') as { Terminal: typeof Terminal };
const unicode11 = require('@xterm/addon-unicode11') as { Unicode11Addon: typeof Unicode11Addon };

interface Core {
  readonly _core: { readonly _inputHandler: { parse(data: Uint8Array): void } };
}

/** Colors, links, notifications, the clipboard, files. */
const ACTING_COMMANDS = [4, 7, 8, 9, 10, 11, 12, 52, 99, 104, 777, 1337];

/** An unmodified xterm with scrollback and VS Code's widths, as clients use it. Like every client, it receives whole characters. */
export class PlainTerminal {
  readonly #terminal: Terminal;
  readonly #characters = new WholeCharacters();
  /** The terminal's replies to the program. */
  readonly replies: string[] = [];
  /** Operating system commands that do more than to set a title. */
  readonly commands: number[] = [];

  constructor(size: TerminalSize, scrollback = 100_000) {
    this.#terminal = new headless.Terminal({
      ...size,
      scrollback,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.#terminal.loadAddon(new unicode11.Unicode11Addon());
    this.#terminal.unicode.activeVersion = '11';
    this.#terminal.onData((data) => this.replies.push(data));
    for (const command of ACTING_COMMANDS)
      this.#terminal.parser.registerOscHandler(command, () => {
        this.commands.push(command);
        return false;
      });
  }

  write(bytes: Uint8Array): void {
    const whole = this.#characters.take(bytes);
    (this.#terminal as unknown as Core)._core._inputHandler.parse(whole);
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#terminal.resize(cols, rows);
  }

  get cursor(): { row: number; column: number } {
    const { active } = this.#terminal.buffer;
    return { row: active.cursorY, column: active.cursorX };
  }

  get isAlternateScreen(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  /** Lines of the main screen that have scrolled off. */
  scrollback(): string[] {
    return this.#lines('normal').slice(0, this.#terminal.buffer.normal.baseY);
  }

  mainScreen(): string[] {
    return this.#lines('normal').slice(this.#terminal.buffer.normal.baseY);
  }

  screen(): string[] {
    return this.#lines('active').slice(this.#terminal.buffer.active.baseY);
  }

  /** Each cell of the screen with its colors and attributes. */
  cells(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) => {
      const line = active.getLine(active.baseY + row)!;
      const cells = Array.from({ length: this.#terminal.cols }, (_, column) => {
        const cell = line.getCell(column)!;
        const colors = [
          cell.getFgColorMode(),
          cell.getFgColor(),
          cell.getBgColorMode(),
          cell.getBgColor(),
        ];
        const bits = [
          cell.isBold(),
          cell.isDim(),
          cell.isItalic(),
          cell.isUnderline(),
          cell.isInverse(),
        ];
        return `${cell.getChars()}/${[...colors, ...bits].join()}`;
      });
      return cells.join(' ');
    });
  }

  isWrapped(line: number): boolean {
    return this.#terminal.buffer.normal.getLine(line)?.isWrapped === true;
  }

  #lines(which: 'normal' | 'active'): string[] {
    const buffer = this.#terminal.buffer[which];
    return Array.from({ length: buffer.length }, (_, index) =>
      buffer.getLine(index)!.translateToString(true),
    );
  }
}
