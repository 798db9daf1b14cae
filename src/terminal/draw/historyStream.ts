import { AttributeWriter } from './attributeWriter.ts';
import {
  CLOSE_LINK,
  CSI,
  PLAIN,
  attributesAt,
  openLink,
  isReachable,
} from '../screen/attributes.ts';
import { cellText, cellWidth, usedColumns } from '../screen/cells.ts';
import type { HistoryLine } from '../screen/lineHistory.ts';
import type { LinkData } from '../screen/screenTypes.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';

/**
 * Older lines that exceed this are left out: a client accepts 32 MiB at once, for scrollback and
 * screen together.
 */
const MAX_HISTORY_BYTES = 24 * 1024 * 1024;

const encoder = new TextEncoder();

/**
 * A stream that fills the scrollback of a fresh terminal and leaves its screen blank. Wrapped lines
 * are printed over the edge, so that the terminal can reflow them.
 */
export function historyStream(
  lines: readonly HistoryLine[],
  size: TerminalSize,
  linkOf: (urlId: number) => LinkData | undefined,
  maxBytes = MAX_HISTORY_BYTES,
): string {
  if (lines.length === 0) return '';
  const parts: string[] = [];
  let bytes = 0;
  // From the newest line on, so that the oldest ones are left out.
  for (let index = lines.length - 1; index >= 0; index--) {
    const history = lines[index]!; // The index is within the array.
    const next = lines[index + 1];
    const isContinued = next?.line.isWrapped === true && history.cols === size.cols;
    const text = historyLine(history, size.cols, isContinued, linkOf);
    const part = next && !isContinued ? `${text}\r\n` : text;
    bytes += encoder.encode(part).length;
    if (bytes > maxBytes) break;
    parts.push(part);
  }
  const occupied = Math.min(parts.length, size.rows);
  const makeRoom = `${CSI}${size.rows}H${'\n'.repeat(occupied)}${CSI}H`;
  return parts.reverse().join('') + makeRoom;
}

function historyLine(
  { line, cols }: HistoryLine,
  targetCols: number,
  isContinued: boolean,
  linkOf: (urlId: number) => LinkData | undefined,
): string {
  let text = '';
  const attributes = new AttributeWriter((sequence) => (text += sequence));
  let openLinkId = 0;
  // Cuts lines from a time when the terminal was wider: the scrollback is not reflowed.
  const end = isContinued ? targetCols : Math.min(usedColumns(line, cols), targetCols);
  for (let column = 0; column < end; column += cellWidth(line, column) || 1) {
    const wanted = attributesAt(line, column);
    const width = cellWidth(line, column);
    // Untested: cuts only the scrollback that a client is shown; the recording has every byte.
    if (column + width > targetCols) break;
    if (wanted.urlId !== openLinkId) {
      const link = linkOf(wanted.urlId);
      text += link ? openLink(link) : CLOSE_LINK;
      openLinkId = wanted.urlId;
    }
    if (isReachable(wanted)) attributes.set(wanted);
    const characters = cellText(line, column);
    // The last cell is empty because a wide character did not fit. That character, printed next,
    // wraps by itself. Untested: affects only the scrollback that a client is shown, as above.
    if (characters === '' && isContinued && column === end - 1) break;
    text += characters || ' ';
  }
  if (openLinkId !== 0) text += CLOSE_LINK;
  attributes.set(PLAIN);
  return text;
}
