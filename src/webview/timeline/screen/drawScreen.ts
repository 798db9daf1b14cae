import type { IBufferCell, ITheme, Terminal } from '@xterm/xterm';
import { DEFAULT_COLOR, TRUE_COLOR } from '../../../timeline/common/styledRuns.ts';
import { fixedColor } from '../../cellColors.ts';
import { ANSI } from './terminalTheme.ts';

/**
 * Draws the screen of a terminal on a canvas.
 * @param cell width and height of a cell in pixels of the canvas, which may be fractions
 */
export function drawScreen(
  context: CanvasRenderingContext2D,
  terminal: Terminal,
  theme: ITheme,
  cell: { readonly width: number; readonly height: number },
): void {
  const { cols, rows } = terminal;
  const foreground = theme.foreground ?? 'gray';
  const background = theme.background ?? 'black';
  context.fillStyle = background;
  context.fillRect(0, 0, Math.round(cols * cell.width), Math.round(rows * cell.height));
  context.textBaseline = 'middle';
  const buffer = terminal.buffer.active;
  const each = buffer.getNullCell();
  for (let row = 0; row < rows; row++) {
    const line = buffer.getLine(buffer.viewportY + row);
    // Cells begin and end at whole pixels: blended edges would show as lines between them.
    const top = Math.round(row * cell.height);
    const bottom = Math.round((row + 1) * cell.height);
    for (let column = 0; line && column < cols; column++) {
      if (!line.getCell(column, each) || each.getWidth() === 0) continue;
      const ink = cssColor(foregroundOf(each), theme) ?? foreground;
      const paper = cssColor(backgroundOf(each), theme) ?? background;
      const isInverse = each.isInverse() !== 0;
      const left = Math.round(column * cell.width);
      const right = Math.round((column + each.getWidth()) * cell.width);
      if (isInverse || paper !== background) {
        context.fillStyle = isInverse ? ink : paper;
        context.fillRect(left, top, right - left, bottom - top);
      }
      const text = each.getChars();
      if (text === '' || text === ' ' || each.isInvisible()) continue;
      context.fillStyle = isInverse ? paper : ink;
      context.fillText(text, left, (top + bottom) / 2);
    }
  }
}

function foregroundOf(cell: IBufferCell): number {
  if (cell.isFgDefault()) return DEFAULT_COLOR;
  return cell.getFgColor() + (cell.isFgRGB() ? TRUE_COLOR : 0);
}

function backgroundOf(cell: IBufferCell): number {
  if (cell.isBgDefault()) return DEFAULT_COLOR;
  return cell.getBgColor() + (cell.isBgRGB() ? TRUE_COLOR : 0);
}

/** @returns undefined for the default color */
function cssColor(color: number, theme: ITheme): string | undefined {
  const name = ANSI[color];
  return name ? theme[name] : fixedColor(color);
}
