import { plainText } from '../../base/plainText.ts';

const MAX_TITLE_LENGTH = 200;
const MAX_PARAMETERS = 32;

/**
 * Modes that change only what is drawn: reverse video, origin, wrapping, the cursor, margins, the
 * alternate screen, synchronized output.
 */
const DRAWING_MODES = new Set(
  [5, 6, 7, 25, 45, 47, 69, 1047, 1048, 1049, 2026].map((mode) => mode.toString()),
);
const INSERT_MODE = '4';
/** Drawing needs no longer numbers, and `CSI b` would repeat a character that often. */
const PARAMETERS = /^(?:\d{0,5}[;:])*\d{0,5}$/;
/** Cursor movement, erasing, scrolling, tabs, repetition and margins. */
const DRAWING_FINALS = /^[@A-IJKLMPSTXZ`abdefgrs]$/;
/** Selective erasing, its protection, shifting the screen or columns, and the soft reset. */
const DRAWING_WITH_INTERMEDIATES = new Set(['?J', '?K', '"q', ' @', ' A', "'}", "'~", '!p']);
/** Saved cursor, line movement, tab stops, and locking shifts of character sets. */
const DRAWING_ESCAPES = /^(?:[78DEHMno|}~]|#[34568]|[()*+\-./][0-9A-Z<=>"%&`]+)$/;
/**
 * A full reset would also erase the scrollback of this terminal and reset its keyboard modes, so
 * reset and clear only what is drawn.
 */
const DRAWN_RESET = '\x1b[?1049l\x1b[!p\x1b[r\x1b[?7h\x1b(B\x0f\x1b[0m\x1b[H\x1b[2J';

/** Returns what replaces an escape sequence: `ESC` and then `text`, its intermediates and final. */
export function allowedEscape(text: string): string {
  if (text === 'c') return DRAWN_RESET;
  return DRAWING_ESCAPES.test(text) ? `\x1b${text}` : '';
}

export interface ControlSequence {
  /** `?`, `<`, `=` or `>`, or nothing. */
  readonly prefix: string;
  readonly parameters: string;
  readonly intermediates: string;
  readonly final: string;
}

/** Returns what replaces a control sequence: the same, a part of it, or nothing. */
export function allowedControl(sequence: ControlSequence, isColored: boolean): string {
  const { prefix, parameters, intermediates, final } = sequence;
  const list = parameters.split(';');
  if (!PARAMETERS.test(parameters) || list.length > MAX_PARAMETERS) return '';
  const kind = `${prefix}${intermediates}${final}`;
  const whole = `\x1b[${prefix}${parameters}${intermediates}${final}`;
  if (kind === 'm') return isColored ? whole : '';
  if (parameters.includes(':')) return '';
  if (/^\??[hl]$/.test(kind)) {
    const isDrawing = (mode: string) =>
      prefix === '' ? mode === INSERT_MODE : DRAWING_MODES.has(mode);
    const modes = list.map((mode) => mode.replace(/^0+/, '')).filter(isDrawing);
    return modes.length > 0 ? `\x1b[${prefix}${modes.join(';')}${final}` : '';
  }
  // `CSI u` with parameters belongs to the keyboard.
  if (kind === 'u') return parameters === '' ? whole : '';
  // With several parameters, `CSI T` starts mouse tracking.
  if (kind === 'T' && list.length > 1) return '';
  // The scrollback belongs to this terminal's user.
  if (final === 'J' && list.some((each) => Number(each) === 3)) return '';
  return DRAWING_FINALS.test(kind) || DRAWING_WITH_INTERMEDIATES.has(kind) ? whole : '';
}

/** Returns what replaces an operating system command: a title without control characters. */
export function allowedCommand(text: string): string {
  const [, kind, title = ''] = /^([012]);([^]*)$/.exec(text) ?? [];
  return kind === undefined ? '' : `\x1b]${kind};${plainText(title, MAX_TITLE_LENGTH)}\x1b\\`;
}
