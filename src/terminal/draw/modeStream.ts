import { CSI, ESC, STRING_END } from '../screen/attributes.ts';
import { designatorOf } from './charsets.ts';
import type { Charset, ScreenBuffer } from '../screen/screenTypes.ts';
import type { XtermTerminal } from '../screen/xtermInternals.ts';

const MOUSE_PROTOCOL_MODES: Readonly<Record<string, number>> = {
  X10: 9,
  VT200: 1000,
  DRAG: 1002,
  ANY: 1003,
};
const MOUSE_ENCODING_MODES: Readonly<Record<string, number>> = { SGR: 1006, SGR_PIXELS: 1016 };
const CURSOR_STYLES = { block: 2, underline: 4, bar: 6 } as const;
const DEFAULT_TAB_WIDTH = 8;

/** Sets all modes that differ from their default, except origin mode, which moves the cursor. */
export function modeStream(xterm: XtermTerminal): string {
  const { modes } = xterm;
  const { options } = xterm.terminal;
  const set = (isSet: boolean, sequence: string): string => (isSet ? `${CSI}${sequence}` : '');
  const mouse = MOUSE_PROTOCOL_MODES[xterm.mouseProtocol];
  const encoding = MOUSE_ENCODING_MODES[xterm.mouseEncoding];
  return [
    set(xterm.isInsertMode, '4h'),
    set(options.convertEol === true, '20h'),
    set(modes.applicationCursorKeys, '?1h'),
    modes.applicationKeypad ? `${ESC}=` : '',
    set(!modes.wraparound, '?7l'),
    set(modes.reverseWraparound, '?45h'),
    set(modes.bracketedPasteMode, '?2004h'),
    set(modes.sendFocus, '?1004h'),
    mouse === undefined ? '' : `${CSI}?${mouse}h`,
    encoding === undefined ? '' : `${CSI}?${encoding}h`,
    set(options.cursorBlink === true, '?12h'),
    cursorStyle(xterm),
    set(xterm.isCursorHidden, '?25l'),
    set(modes.synchronizedOutput, '?2026h'),
  ].join('');
}

function cursorStyle(xterm: XtermTerminal): string {
  const { cursorStyle: style, cursorBlink } = xterm.modes;
  if (style === undefined && cursorBlink === undefined) return '';
  // Without a style, 7 or 8 sets only the blinking.
  const steady = style === undefined ? 8 : CURSOR_STYLES[style];
  return `${CSI}${cursorBlink ? steady - 1 : steady} q`;
}

export function titleStream(xterm: XtermTerminal): string {
  const { title, iconName } = xterm;
  if (title === iconName) return title === '' ? '' : `${ESC}]0;${title}${STRING_END}`;
  return `${ESC}]1;${iconName}${STRING_END}${ESC}]2;${title}${STRING_END}`;
}

const DESIGNATE = ['(', ')', '*', '+'] as const;
const SHIFT = ['\x0f', '\x0e', `${ESC}n`, `${ESC}o`] as const;

/** Selects a character set in a terminal that uses the default one. */
export function selectCharset(charset: Charset | undefined): string {
  return charset ? `${ESC}(${designatorOf(charset)}` : '';
}

/** Designates the four character sets and shifts to the current one. */
export function charsetStream(xterm: XtermTerminal): string {
  let stream = '';
  DESIGNATE.forEach((intermediate, level) => {
    const charset = xterm.designatedCharset(level);
    if (charset) stream += `${ESC}${intermediate}${designatorOf(charset)}`;
  });
  return stream + (xterm.charsetLevel === 0 ? '' : SHIFT[xterm.charsetLevel]);
}

/**
 * Whether the current character set is not the one designated for its level, but came from a
 * restored cursor.
 */
export function hasForeignCharset(xterm: XtermTerminal): boolean {
  return xterm.charset !== xterm.designatedCharset(xterm.charsetLevel);
}

/** Sets the tab stops. Moves the cursor, unless they are the default ones. */
export function tabStream(buffer: ScreenBuffer, cols: number): string {
  const stops: number[] = [];
  for (let column = 0; column < cols; column++) if (buffer.tabs[column]) stops.push(column);
  const usual =
    stops.length === Math.ceil(cols / DEFAULT_TAB_WIDTH) &&
    stops.every((stop) => stop % DEFAULT_TAB_WIDTH === 0);
  if (usual) return '';
  return `${CSI}3g${stops.map((stop) => `${CSI}${stop + 1}G${ESC}H`).join('')}`;
}

/** Sets the scroll region. Moves the cursor, unless the whole screen scrolls. */
export function regionStream(buffer: ScreenBuffer, rows: number): string {
  if (buffer.scrollTop === 0 && buffer.scrollBottom === rows - 1) return '';
  return `${CSI}${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
}
