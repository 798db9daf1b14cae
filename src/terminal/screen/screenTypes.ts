// The parts of xterm's objects that this folder uses, with xterm's names.

/** Underline style, underline color and hyperlink of a cell. */
export interface ExtendedAttributes {
  readonly urlId: number;
  isEmpty(): boolean;
}

export interface AttributeData {
  readonly fg: number;
  readonly bg: number;
  readonly extended: ExtendedAttributes;
}

export interface ScreenLine {
  isWrapped: boolean;
  readonly length: number;
  clone(): ScreenLine;
  copyFrom(line: ScreenLine): void;
  resize(cols: number, fill: unknown): boolean;
  setCellFromCodepoint(index: number, code: number, width: number, attributes: AttributeData): void;
}

export type Charset = Readonly<Record<string, string | undefined>>;

export interface ScreenBuffer {
  x: number;
  y: number;
  ybase: number;
  scrollTop: number;
  scrollBottom: number;
  tabs: Record<number, boolean | undefined>;
  savedX: number;
  savedY: number;
  readonly savedCurAttrData: AttributeData;
  readonly savedCharset: Charset | undefined;
  readonly lines: { readonly length: number; get(index: number): ScreenLine | undefined };
  getNullCell(): unknown;
  clear(): void;
}

export interface PrivateModes {
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPasteMode: boolean;
  readonly cursorBlink: boolean | undefined;
  readonly cursorStyle: 'block' | 'underline' | 'bar' | undefined;
  readonly origin: boolean;
  readonly reverseWraparound: boolean;
  readonly sendFocus: boolean;
  readonly synchronizedOutput: boolean;
  readonly wraparound: boolean;
}

/**
 * `index` is a palette index, or 256 for the foreground, 257 for the background, 258 for the
 * cursor. It is absent in a reset of the whole palette.
 */
export interface ColorRequest {
  readonly type: 0 | 1 | 2;
  readonly index?: number;
  readonly color?: readonly [number, number, number];
}

export interface LinkData {
  readonly id?: string | undefined;
  readonly uri: string;
}

/** Replaces xterm's own link service, which forgets links that are still on the screen. */
export interface LinkService {
  registerLink(data: LinkData): number;
  addLineToLink(linkId: number, y: number): void;
  getLinkData(linkId: number): LinkData | undefined;
}
