import { createRequire } from 'node:module';
import type { Terminal } from '@xterm/headless';
import { WholeCharacters } from '../../src/base/wholeCharacters.ts';
import type { TerminalSize } from '../../src/terminal/screen/screenTypes.ts';

const headless = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof Terminal };

interface Core {
  readonly _core: { readonly _inputHandler: { parse(data: Uint8Array): void } };
}

/** xterm as it comes, with a scrollback: what a client of ours is. Like every client it is given whole characters. */
export class PlainTerminal {
  readonly #terminal: Terminal;
  readonly #characters = new WholeCharacters();
  /** What it sent back to the program. */
  readonly replies: string[] = [];

  constructor(size: TerminalSize, scrollback = 100_000) {
    this.#terminal = new headless.Terminal({
      ...size,
      scrollback,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.#terminal.onData((data) => this.replies.push(data));
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
