import { MutableDisposable } from '../../../src/base/lifecycle.ts';
import type { TerminalOutput } from '../agentContext.ts';
import type { TerminalModes } from './terminalModes.ts';

/** Reserves the bottom line for a status with a scroll region. */
export class StatusLine {
  readonly #output: TerminalOutput;
  readonly #modes: TerminalModes;
  readonly #resizing = new MutableDisposable();

  constructor(output: TerminalOutput, modes: TerminalModes) {
    this.#output = output;
    this.#modes = modes;
  }

  /** Expects the cursor at the start of a line. */
  async show(text: string): Promise<void> {
    const draw = (): Promise<void> => {
      const { rows } = this.#output.size();
      // A cursor on the last row must first scroll away from under the status.
      const reserve = this.#modes.isEntered('status') ? '' : '\n\x1b[A';
      const on = `${reserve}\x1b7\x1b[1;${rows - 1}r\x1b[${rows};1H\x1b[2K${text}\x1b[0m\x1b8`;
      return this.#modes.enter('status', on, `\x1b7\x1b[r\x1b[${rows};1H\x1b[2K\x1b8`);
    };
    await draw();
    this.#resizing.value = this.#output.onResize(() => void draw());
  }

  async hide(): Promise<void> {
    this.#resizing.clear();
    await this.#modes.leave('status');
  }
}
