import type { TerminalOutput } from '../agentContext.ts';

/** Tracks terminal modes to reset when the agent ends in any way. */
export class TerminalModes {
  readonly #output: TerminalOutput;
  readonly #entered = new Map<string, string>();

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  /** Writes `on`, and later `off`. Entering the same mode again only writes. */
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

  /** The sequences that reset all active modes, in reverse order. */
  undoSequence(): string {
    return [...this.#entered.values()].reverse().join('');
  }
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';

/** Runs `draw` with a hidden cursor. */
export async function withoutCursor(
  modes: TerminalModes,
  draw: () => Promise<void>,
): Promise<void> {
  await modes.enter('cursor', HIDE_CURSOR, SHOW_CURSOR);
  await draw();
  await modes.leave('cursor');
}
