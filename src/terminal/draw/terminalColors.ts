import { ESC, STRING_END } from '../screen/attributes.ts';
import type { ColorRequest } from '../screen/screenTypes.ts';
import type { XtermTerminal } from '../screen/xtermInternals.ts';

type Rgb = readonly [red: number, green: number, blue: number];

const REPORT = 0;
const SET = 1;
const FOREGROUND = 256;
const BACKGROUND = 257;
const CURSOR = 258;

/** The colors of a dark VS Code window; programs query them to choose a light or dark theme. */
const DEFAULTS: ReadonlyMap<number, Rgb> = new Map([
  [FOREGROUND, [0xcc, 0xcc, 0xcc]],
  [BACKGROUND, [0x1f, 0x1f, 0x1f]],
  [CURSOR, [0xae, 0xaf, 0xad]],
]);
const ANSI_COLORS =
  '000000cd31310dbc79e5e5102472c8bc3fbc11a8cde5e5e5666666f14c4c23d18bf5f5433b8eead670d629b8dbe5e5e5';
const CUBE_LEVELS = [0, 95, 135, 175, 215, 255] as const;

/**
 * The colors that programs query and change (OSC 4, 10, 11, 12), which xterm's headless core lacks.
 */
export class TerminalColors {
  readonly #changed = new Map<number, Rgb>();

  /** @param reply receives the replies to queries */
  constructor(xterm: XtermTerminal, reply: (text: string) => void) {
    xterm.onColorRequest((requests) => {
      for (const request of requests) {
        if (request.type === REPORT) reply(this.#report(request.index ?? 0));
        else this.#change(request);
      }
    });
  }

  /** Stream that sets the changed colors in another terminal. */
  get stream(): string {
    return [...this.#changed]
      .map(([index, [red, green, blue]]) => {
        const color = [red, green, blue].map((value) => hex(value)).join('/');
        return `${ESC}]${selector(index)};rgb:${color}${STRING_END}`;
      })
      .join('');
  }

  #change({ type, index, color }: ColorRequest): void {
    if (type === SET && index !== undefined && color) this.#changed.set(index, color);
    else if (index !== undefined) this.#changed.delete(index);
    else
      for (const known of [...this.#changed.keys()])
        if (known < FOREGROUND) this.#changed.delete(known);
  }

  #report(index: number): string {
    const color = this.#changed.get(index) ?? DEFAULTS.get(index) ?? paletteColor(index);
    const channels = color.map((value) => hex(value).repeat(2)).join('/');
    return `${ESC}]${selector(index)};rgb:${channels}${STRING_END}`;
  }
}

function selector(index: number): string {
  return index < FOREGROUND ? `4;${index}` : String(index - FOREGROUND + 10);
}

function paletteColor(index: number): Rgb {
  if (index < 16) {
    const channel = (at: number): number =>
      Number.parseInt(ANSI_COLORS.slice(index * 6 + at, index * 6 + at + 2), 16);
    return [channel(0), channel(2), channel(4)];
  }
  if (index < 232) {
    const cube = index - 16;
    const level = (divisor: number): number => CUBE_LEVELS[Math.floor(cube / divisor) % 6] ?? 0;
    return [level(36), level(6), level(1)];
  }
  const gray = 8 + 10 * (index - 232);
  return [gray, gray, gray];
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0');
}
