import type { ITheme } from '@xterm/xterm';
import { fixedColor } from '../../cellColors.ts';
import { ANSI } from './terminalTheme.ts';

const PALETTE_LENGTH = 256;
/** Share of the default color; less would be too faint in a high-contrast theme. */
const STRENGTH = '75%';

/**
 * A style sheet for dim text in a high-contrast theme: xterm.js draws dim text at half strength,
 * which is too faint to read there.
 */
export function readableDimText(theme: ITheme): string {
  const dim = '.player .xterm .xterm-rows .xterm-dim';
  const rules = Array.from({ length: PALETTE_LENGTH }, (_, index) => {
    const name = ANSI[index];
    const color = name ? theme[name] : fixedColor(index);
    return color === undefined ? '' : `${dim}.xterm-fg-${index} { color: ${color}; }`;
  });
  const text = `color-mix(in srgb, ${theme.foreground ?? 'gray'} ${STRENGTH}, transparent)`;
  return [`${dim} { color: ${text}; }`, ...rules].join('\n');
}
