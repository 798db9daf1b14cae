import {
  CLOSE_LINK,
  CSI,
  PLAIN,
  attributesAt,
  openLink,
  sameAttributes,
  selectGraphicRendition,
  type Attributes,
} from '../screen/attributes.ts';
import { cellText, cellWidth, usedColumns } from '../screen/cells.ts';
import type { LinkData, ScreenLine } from '../screen/screenTypes.ts';

/**
 * A row as text with colors, attributes and links, all of them reset at the end. Empty cells are
 * spaces, so that the text can be printed anywhere.
 */
export function styledText(
  line: ScreenLine,
  cols: number,
  linkOf: (urlId: number) => LinkData | undefined,
): string {
  let text = '';
  let inForce: Attributes = PLAIN;
  const change = (next: Attributes): void => {
    if (sameAttributes(inForce, next)) return;
    text += selectGraphicRendition(next).replace(`${CSI}0m`, `${CSI}m`);
    if (next.urlId !== inForce.urlId) {
      const link = next.urlId === 0 ? undefined : linkOf(next.urlId);
      text += link ? openLink(link) : CLOSE_LINK;
    }
    inForce = next;
  };
  const end = usedColumns(line, cols);
  for (let column = 0; column < end; column += cellWidth(line, column) || 1) {
    change(attributesAt(line, column));
    text += cellText(line, column) || ' ';
  }
  change(PLAIN);
  return text;
}
