import {
  BLINK,
  BOLD,
  CELL_SIZE,
  COLOR_MODE_16,
  COLOR_MODE_256,
  COLOR_MODE_MASK,
  COLOR_MODE_RGB,
  DIM,
  HAS_EXTENDED,
  INVERSE,
  INVISIBLE,
  ITALIC,
  OVERLINE,
  PALETTE_MASK,
  PROTECTED,
  RGB_MASK,
  STRIKETHROUGH,
  UNDERLINE,
  colorOf,
  normalized,
  underlineStyleOf,
} from './cellBits.ts';
import type { AttributeData, LinkData, ScreenLine } from './screenTypes.ts';
import { cellsOf, extendedBits, extendedOf } from './xtermInternals.ts';

export const ESC = '\x1b';
export const CSI = '\x1b[';
export const STRING_END = '\x1b\\';

/** Style of a cell. Equal attributes look the same. */
export interface Attributes {
  /** Color and flags, see `cellBits.ts`. */
  readonly fg: number;
  readonly bg: number;
  readonly underlineStyle: number;
  readonly underlineColor: number;
  /** xterm's number of the hyperlink; 0 if there is no link. */
  readonly urlId: number;
}

export const PLAIN: Attributes = { fg: 0, bg: 0, underlineStyle: 0, underlineColor: 0, urlId: 0 };

/** An unset underline color (SGR 59) has all bits set in xterm. */
const UNDERLINE_COLOR_UNSET = COLOR_MODE_MASK | RGB_MASK;

export function attributesAt(line: ScreenLine, column: number): Attributes {
  // The `!`s are safe: the column is within the line. A check would slow down this hot path.
  const cells = cellsOf(line);
  const fg = cells[column * CELL_SIZE + 1]!;
  const bg = cells[column * CELL_SIZE + 2]!;
  if (fg === 0 && bg === 0) return PLAIN;
  const extended = bg & HAS_EXTENDED ? extendedOf(line, column) : undefined;
  const bits = extended ? extendedBits(extended) : 0;
  return {
    fg: normalized(fg),
    bg: normalized(bg),
    underlineStyle: underlineStyleOf(bits),
    underlineColor: colorOf(bits),
    urlId: extended?.urlId ?? 0,
  };
}

/** The attributes that the next printed character gets. */
export function attributesInForce(data: AttributeData): Attributes {
  const bits = extendedBits(data.extended);
  return {
    fg: normalized(data.fg),
    bg: normalized(data.bg),
    underlineStyle: underlineStyleOf(bits),
    underlineColor: colorOf(bits),
    urlId: data.extended.urlId,
  };
}

export function sameAttributes(a: Attributes, b: Attributes): boolean {
  return (
    a === b ||
    (a.fg === b.fg &&
      a.bg === b.bg &&
      a.underlineStyle === b.underlineStyle &&
      a.underlineColor === b.underlineColor &&
      a.urlId === b.urlId)
  );
}

/**
 * The attributes as a cell stores them. A cell stores the extended attributes only with their flag.
 */
export function asStored(attributes: Attributes): Attributes {
  return attributes.bg & HAS_EXTENDED
    ? attributes
    : { ...attributes, underlineStyle: 0, underlineColor: 0, urlId: 0 };
}

/** Whether SGR sequences can set these attributes; a restored cursor (DECRC) can have others. */
export function isReachable({ fg, bg, underlineStyle, urlId }: Attributes): boolean {
  const isUnderlined = (fg & UNDERLINE) !== 0;
  const isExtended = (bg & HAS_EXTENDED) !== 0;
  return (
    isExtended === (underlineStyle !== 0 || urlId !== 0) && isUnderlined === (underlineStyle !== 0)
  );
}

/** The sequence that sets all attributes except the hyperlink, independent of the current ones. */
export function selectGraphicRendition(attributes: Attributes): string {
  const parameters = ['0', ...flagParameters(attributes)];
  if (attributes.underlineStyle === 1) parameters.push('4');
  else if (attributes.underlineStyle > 1) parameters.push(`4:${attributes.underlineStyle}`);
  parameters.push(...colorParameters(attributes));
  return `${CSI}${parameters.join(';')}m`;
}

function flagParameters({ fg, bg }: Attributes): string[] {
  const parameters: string[] = [];
  if (fg & BOLD) parameters.push('1');
  if (bg & DIM) parameters.push('2');
  if (bg & ITALIC) parameters.push('3');
  if (fg & BLINK) parameters.push('5');
  if (fg & INVERSE) parameters.push('7');
  if (fg & INVISIBLE) parameters.push('8');
  if (fg & STRIKETHROUGH) parameters.push('9');
  if (bg & OVERLINE) parameters.push('53');
  return parameters;
}

function colorParameters({ fg, bg, underlineColor }: Attributes): string[] {
  const parameters = [
    ...paletteParameters(fg, 30, 90, '38'),
    ...paletteParameters(bg, 40, 100, '48'),
  ];
  if (underlineColor === UNDERLINE_COLOR_UNSET) {
    parameters.push('59');
  } else if ((underlineColor & COLOR_MODE_MASK) === COLOR_MODE_RGB) {
    parameters.push(`58:2::${rgbOf(underlineColor).join(':')}`);
  } else if (underlineColor & COLOR_MODE_MASK) {
    parameters.push(`58:5:${underlineColor & PALETTE_MASK}`);
  }
  return parameters;
}

function paletteParameters(
  value: number,
  normal: number,
  bright: number,
  extended: string,
): string[] {
  const index = value & PALETTE_MASK;
  switch (value & COLOR_MODE_MASK) {
    case COLOR_MODE_16:
      return [String(index < 8 ? normal + index : bright + index - 8)];
    case COLOR_MODE_256:
      return [`${extended};5;${index}`];
    case COLOR_MODE_RGB:
      return [`${extended};2;${rgbOf(value).join(';')}`];
    default:
      return [];
  }
}

function rgbOf(value: number): [number, number, number] {
  return [(value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

export function isProtected(attributes: Attributes): boolean {
  return (attributes.bg & PROTECTED) !== 0;
}

export function openLink(link: LinkData): string {
  return `${ESC}]8;${link.id === undefined ? '' : `id=${link.id}`};${link.uri}${STRING_END}`;
}

export const CLOSE_LINK = `${ESC}]8;;${STRING_END}`;
