import { CSI } from '../screen/attributes.ts';
import type { XtermTerminal } from '../screen/xtermInternals.ts';

/**
 * Private modes that xterm's core ignores, but an attaching terminal needs: reverse video, mouse
 * encodings, alternate scroll, grapheme clusters, color scheme reports, win32 input.
 */
const PASSED_ON_MODES: ReadonlySet<number> = new Set([5, 1005, 1007, 1015, 2027, 2031, 9001]);
const MODIFY_OTHER_KEYS = 4;
/** All terminals support this many pushed flags; programs that push more forget to pop. */
const MAX_PUSHED_FLAGS = 32;

type Screen = 'normal' | 'alternate';
type Parameters = readonly (number | number[])[];

/** The kitty keyboard protocol's flags of one screen. */
interface KeyboardFlags {
  current: number;
  pushed: number[];
}

/** How the program wants input to be reported: needed by attaching terminals, not by recordings. */
export class ClientModes {
  readonly #modes = new Set<number>();
  #modifyOtherKeys = 0;
  #keyboard: Record<Screen, KeyboardFlags> = noFlags();
  readonly #xterm: XtermTerminal;

  constructor(xterm: XtermTerminal) {
    this.#xterm = xterm;
    const { parser } = xterm.terminal;
    const on = (prefix: string, final: string, handle: (parameters: Parameters) => void): void => {
      parser.registerCsiHandler({ prefix, final }, (parameters) => {
        handle(parameters);
        return false;
      });
    };
    on('?', 'h', (parameters) => this.#setModes(parameters, true));
    on('?', 'l', (parameters) => this.#setModes(parameters, false));
    on('>', 'm', ([resource, value]) => {
      if (resource === MODIFY_OTHER_KEYS) this.#modifyOtherKeys = numberOf(value);
    });
    on('>', 'u', ([flags]) => this.#pushFlags(numberOf(flags)));
    on('<', 'u', ([count]) => this.#popFlags(numberOf(count) || 1));
    on('=', 'u', ([flags, how]) => this.#changeFlags(numberOf(flags), numberOf(how) || 1));
    xterm.onReset(() => {
      this.#modes.clear();
      this.#modifyOtherKeys = 0;
      this.#keyboard = noFlags();
    });
  }

  /**
   * Sequences that set the keyboard flags of a screen in a fresh terminal that shows this screen.
   */
  keyboardStream(screen: Screen): string {
    const { current, pushed } = this.#keyboard[screen];
    const [first = 0, ...rest] = [...pushed, current];
    const set = first === 0 ? '' : `${CSI}=${first};1u`;
    return set + rest.map((flags) => `${CSI}>${flags}u`).join('');
  }

  /** Sequences that set the modes in a fresh terminal. */
  get stream(): string {
    const modes = [...this.#modes].sort((a, b) => a - b).map((mode) => `${CSI}?${mode}h`);
    const keys =
      this.#modifyOtherKeys === 0 ? '' : `${CSI}>${MODIFY_OTHER_KEYS};${this.#modifyOtherKeys}m`;
    return modes.join('') + keys;
  }

  #setModes(parameters: Parameters, isSet: boolean): void {
    for (const mode of parameters.map(numberOf)) {
      if (!PASSED_ON_MODES.has(mode)) continue;
      if (isSet) this.#modes.add(mode);
      else this.#modes.delete(mode);
    }
  }

  get #flags(): KeyboardFlags {
    const isAlternate = this.#xterm.active === this.#xterm.alternate;
    return this.#keyboard[isAlternate ? 'alternate' : 'normal'];
  }

  #pushFlags(next: number): void {
    const flags = this.#flags;
    flags.pushed.push(flags.current);
    if (flags.pushed.length > MAX_PUSHED_FLAGS) flags.pushed.shift();
    flags.current = next;
  }

  #popFlags(count: number): void {
    const flags = this.#flags;
    for (let left = Math.min(count, flags.pushed.length + 1); left > 0; left--) {
      flags.current = flags.pushed.pop() ?? 0;
    }
  }

  /** @param how 1 sets exactly these flags, 2 adds them, 3 removes them */
  #changeFlags(change: number, how: number): void {
    const flags = this.#flags;
    if (how === 1) flags.current = change;
    else if (how === 2) flags.current |= change;
    else if (how === 3) flags.current &= ~change;
  }
}

function noFlags(): Record<Screen, KeyboardFlags> {
  return { normal: { current: 0, pushed: [] }, alternate: { current: 0, pushed: [] } };
}

/** Missing parameters and those with subparameters count as 0. */
function numberOf(parameter: number | number[] | undefined): number {
  return typeof parameter === 'number' ? parameter : 0;
}
