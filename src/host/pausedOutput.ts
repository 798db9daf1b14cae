import { NANOSECONDS_PER_MILLISECOND } from '../base/clock.ts';
import { spanText } from '../base/spanText.ts';
import type { TerminalSize } from '../base/terminalSize.ts';

/** Switches between the main and the alternate screen. */
const SCREEN_SWITCH = /\x1b\[\?(?:47|1047|1049)([hl])/g;
const LONGEST_SWITCH = '\x1b[?1049h'.length;

/**
 * Reads the output of a pause without keeping it. Notes only which screen the program has switched
 * to, because the terminal model does not receive this output.
 */
export class PausedOutput {
  readonly sinceNs: bigint;
  #screen: 'main' | 'alternate' | 'unchanged' = 'unchanged';
  #tail = '';

  constructor(sinceNs: bigint) {
    this.sinceNs = sinceNs;
  }

  push(bytes: Uint8Array): void {
    const text = this.#tail + Buffer.from(bytes).toString('latin1');
    const last = [...text.matchAll(SCREEN_SWITCH)].at(-1);
    if (last) this.#screen = last[1] === 'h' ? 'alternate' : 'main';
    this.#tail = text.slice(1 - LONGEST_SWITCH);
  }

  /**
   * Output that the recorder itself adds after the pause, to the recording and to all terminals. It
   * scrolls the screen away, so that rows stay blank until the program writes them again, and says
   * how long the pause was.
   */
  resumeStream(nowNs: bigint, { rows }: TerminalSize): Uint8Array {
    const ms = Number((nowNs - this.sinceNs) / NANOSECONDS_PER_MILLISECOND);
    const screen = { main: '\x1b[?47l', alternate: '\x1b[?47h', unchanged: '' }[this.#screen];
    // Ends a partial sequence; resets attributes, character sets, insert mode, margins, origin
    // mode.
    const modes = '\x18\x1b[0m\x1b(B\x0f\x1b[4l\x1b[?6l\x1b[r';
    const away = `\x1b[${rows};1H${'\n'.repeat(rows)}\x1b[H`;
    const text = `\x1b[2m── not recorded for ${spanText(ms)} ──\x1b[0m\r\n`;
    return Buffer.from(screen + modes + away + text);
  }
}
