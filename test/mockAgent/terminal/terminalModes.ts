import type { TerminalOutput } from '../agentContext.ts';

/** Remembers what must be undone so that the person gets the terminal back as it was, however the agent ends. */
export class TerminalModes {
  readonly #output: TerminalOutput;
  readonly #entered = new Map<string, string>();

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  /** Writes `on`; `off` is what undoes it. Entering the same mode again only writes. */
  async enter(name: string, on: string, off: string): Promise<void> {
    this.#entered.set(name, off);
    await this.#output.write(on);
  }

  async leave(name: string): Promise<void> {
    const off = this.#entered.get(name);
    if (off === undefined) return;
    this.#entered.delete(name);
    await this.#output.write(off);
  }

  isEntered(name: string): boolean {
    return this.#entered.has(name);
  }

  /** What undoes everything still entered, last one first. */
  undoSequence(): string {
    return [...this.#entered.values()].reverse().join('');
  }
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';

/** Runs `draw` without a blinking cursor in the drawing. */
export async function withoutCursor(
  modes: TerminalModes,
  draw: () => Promise<void>,
): Promise<void> {
  await modes.enter('cursor', HIDE_CURSOR, SHOW_CURSOR);
  await draw();
  await modes.leave('cursor');
}
