import * as headless from '@xterm/headless';
import type { Disposable } from '../../base/lifecycle.ts';
import { limitLinks, limitRepetition, type SequenceParser } from '../../base/terminalLimits.ts';
import { CELL_SIZE, HAS_EXTENDED, IS_COMBINED } from './cellBits.ts';
import type {
  AttributeData,
  Charset,
  ColorRequest,
  ExtendedAttributes,
  LinkData,
  LinkService,
  PrivateModes,
  ScreenBuffer,
  ScreenLine,
  TerminalSize,
} from './screenTypes.ts';

// A CommonJS module: its exports are the namespace in a bundle, and the namespace's `default` where Node loads it.
const { Terminal } =
  'Terminal' in headless ? headless : (headless as { default: typeof headless }).default;
type Terminal = headless.Terminal;

/**
 * The only file of the core that reaches behind xterm's public interface. The public one parses in timer-driven batches and shows
 * neither attributes in force, nor saved cursors, nor character sets, and a recording has to be exact about all of them.
 * Everything used is checked once per terminal, so that another xterm version fails here, by name, and nowhere else.
 */
export const XTERM_VERSION = '6.0.0';

interface XtermEvent<T> {
  (listener: (value: T) => void): Disposable;
}

interface PrivateLine extends ScreenLine {
  readonly _data: Uint32Array;
  readonly _combined: Record<number, string>;
  readonly _extendedAttrs: Record<number, ExtendedAttributes | undefined>;
}

interface PrivateCore {
  readonly _inputHandler: {
    parse(data: Uint8Array): Promise<boolean> | undefined;
    readonly _parser: SequenceParser & {
      readonly currentState: number;
      readonly precedingJoinState: number;
    };
    readonly _utf8Decoder: { readonly interim: Uint8Array };
    readonly _curAttrData: AttributeData;
    readonly _dirtyRowTracker: { readonly start: number; readonly end: number; clearRange(): void };
    readonly _windowTitle: string;
    readonly _iconName: string;
    readonly onRequestReset: XtermEvent<void>;
    readonly onColor: XtermEvent<readonly ColorRequest[]>;
  };
  readonly _bufferService: {
    scroll(eraseAttributes: AttributeData, isWrapped?: boolean): void;
    readonly buffers: {
      readonly normal: ScreenBuffer;
      readonly alt: ScreenBuffer;
      readonly active: ScreenBuffer;
      readonly onBufferActivate: XtermEvent<{ inactiveBuffer: ScreenBuffer }>;
    };
  };
  readonly _charsetService: {
    readonly charset: Charset | undefined;
    readonly glevel: number;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly _oscLinkService: LinkService;
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: PrivateModes;
  };
  readonly unicodeService: { wcwidth(codePoint: number): number };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
}

/** Paths that must exist, with the type each must have. A changed xterm fails on the first that does not. */
const EXPECTED: Readonly<Record<string, string>> = {
  '_inputHandler.parse': 'function',
  '_inputHandler._parser.currentState': 'number',
  '_inputHandler._parser.precedingJoinState': 'number',
  '_inputHandler._parser.registerCsiHandler': 'function',
  '_inputHandler._utf8Decoder.interim': 'object',
  '_inputHandler._curAttrData.fg': 'number',
  '_inputHandler._curAttrData.extended._ext': 'number',
  '_inputHandler._curAttrData.extended._urlId': 'number',
  '_inputHandler._dirtyRowTracker.start': 'number',
  '_inputHandler._dirtyRowTracker.clearRange': 'function',
  '_inputHandler._windowTitle': 'string',
  '_inputHandler._iconName': 'string',
  '_inputHandler.onRequestReset': 'function',
  '_inputHandler.onColor': 'function',
  '_bufferService.scroll': 'function',
  '_bufferService.buffers.onBufferActivate': 'function',
  '_bufferService.buffers.alt.lines.get': 'function',
  '_bufferService.buffers.normal.savedCurAttrData.bg': 'number',
  '_bufferService.buffers.normal.tabs': 'object',
  '_bufferService.buffers.normal.scrollBottom': 'number',
  '_charsetService.glevel': 'number',
  '_charsetService._charsets': 'object',
  '_oscLinkService.registerLink': 'function',
  '_oscLinkService.addLineToLink': 'function',
  '_oscLinkService.getLinkData': 'function',
  'coreService.isCursorHidden': 'boolean',
  'coreService.modes.insertMode': 'boolean',
  'coreService.decPrivateModes.synchronizedOutput': 'boolean',
  'unicodeService.wcwidth': 'function',
  'coreMouseService.activeProtocol': 'string',
  'coreMouseService.activeEncoding': 'string',
};

function checkedCore(terminal: Terminal): PrivateCore {
  const core = (terminal as unknown as { _core?: unknown })._core;
  for (const [path, type] of Object.entries(EXPECTED)) {
    let value: unknown = core;
    for (const key of path.split('.'))
      value = (value as Record<string, unknown> | undefined)?.[key];
    // Untested: fails at start with another xterm, before anything is recorded or read.
    if (typeof value !== type) {
      throw new Error(
        `@xterm/headless is not ${XTERM_VERSION}: ${path} is a ${typeof value}, not a ${type}`,
      );
    }
  }
  const line = (core as PrivateCore)._bufferService.buffers.normal.lines.get(0) as PrivateLine;
  // Untested: fails at start with another xterm, as above.
  if (!(line._data instanceof Uint32Array) || line._data.length !== 3 * line.length) {
    throw new Error(`@xterm/headless is not ${XTERM_VERSION}: a cell is not three numbers`);
  }
  return core as PrivateCore;
}

/** Three numbers per cell: content, foreground, background. See `cellBits.ts`. */
export function cellsOf(line: ScreenLine): Uint32Array {
  return (line as PrivateLine)._data;
}

/** The whole text of a cell that holds more than one code point. */
export function combinedTextOf(line: ScreenLine, column: number): string {
  return (line as PrivateLine)._combined[column] ?? '';
}

export function extendedOf(line: ScreenLine, column: number): ExtendedAttributes | undefined {
  return (line as PrivateLine)._extendedAttrs[column];
}

/** Underline style and colour as stored; xterm's own getter hides the style of a hyperlink. */
export function extendedBits(extended: ExtendedAttributes): number {
  return (extended as unknown as { _ext: number })._ext;
}

/**
 * Drops what a line remembers of cells since overwritten: nobody looks at it, but xterm's reflow copies it over what is
 * there now.
 */
export function dropStaleCells(line: ScreenLine): void {
  const { _combined, _extendedAttrs, _data } = line as PrivateLine;
  for (const key of Object.keys(_combined).map(Number)) {
    if ((_data[key * CELL_SIZE]! & IS_COMBINED) === 0) delete _combined[key];
  }
  for (const key of Object.keys(_extendedAttrs).map(Number)) {
    if ((_data[key * CELL_SIZE + 2]! & HAS_EXTENDED) === 0) delete _extendedAttrs[key];
  }
}

/** A headless terminal that parses at once, keeps no scrollback and lets its state be read. */
export class XtermTerminal implements Disposable {
  readonly terminal: Terminal;
  readonly #core: PrivateCore;

  constructor(size: TerminalSize) {
    this.terminal = new Terminal({
      cols: size.cols,
      rows: size.rows,
      scrollback: 0,
      allowProposedApi: true,
      logLevel: 'off',
      windowOptions: { getWinSizeChars: true },
    });
    this.#core = checkedCore(this.terminal);
    limitRepetition(this.#core._inputHandler._parser, () => this.size);
    limitLinks(this.terminal.parser);
  }

  get size(): TerminalSize {
    return { cols: this.terminal.cols, rows: this.terminal.rows };
  }

  parse(bytes: Uint8Array): void {
    // Untested: no handler of ours is asynchronous; the recording keeps the bytes.
    if (this.#core._inputHandler.parse(bytes)) {
      throw new Error('An asynchronous parser handler was registered: parsing must be synchronous');
    }
  }

  get normal(): ScreenBuffer {
    return this.#core._bufferService.buffers.normal;
  }

  get alternate(): ScreenBuffer {
    return this.#core._bufferService.buffers.alt;
  }

  get active(): ScreenBuffer {
    return this.#core._bufferService.buffers.active;
  }

  /** Rows of the active buffer touched since the last call of `parse` began or `clearDamage`, both inclusive. */
  get damage(): { readonly start: number; readonly end: number } {
    return this.#core._inputHandler._dirtyRowTracker;
  }

  clearDamage(): void {
    this.#core._inputHandler._dirtyRowTracker.clearRange();
  }

  /** Calls `before` and `after` around every scroll by one row, of whichever buffer is active. */
  interceptScroll(before: () => void, after: () => void): void {
    const service = this.#core._bufferService;
    const scroll = service.scroll.bind(service);
    service.scroll = (eraseAttributes, isWrapped) => {
      before();
      scroll(eraseAttributes, isWrapped);
      after();
    };
  }

  /** After the switch; `left` is the buffer that was active. */
  onBufferSwitch(listener: (left: ScreenBuffer) => void): void {
    this.#core._bufferService.buffers.onBufferActivate((event) => listener(event.inactiveBuffer));
  }

  /** After a full reset (RIS). */
  onReset(listener: () => void): void {
    this.#core._inputHandler.onRequestReset(listener);
  }

  onColorRequest(listener: (requests: readonly ColorRequest[]) => void): void {
    this.#core._inputHandler.onColor(listener);
  }

  replaceLinkService(links: LinkService): void {
    Object.assign(this.#core._oscLinkService, {
      registerLink: links.registerLink.bind(links),
      addLineToLink: links.addLineToLink.bind(links),
      getLinkData: links.getLinkData.bind(links),
    });
  }

  linkData(linkId: number): LinkData | undefined {
    return this.#core._oscLinkService.getLinkData(linkId);
  }

  /** Whether the parser is between sequences and between characters. */
  get isAtRest(): boolean {
    return !this.isInSequence && this.partialCharacter.length === 0;
  }

  get isInSequence(): boolean {
    return this.#core._inputHandler._parser.currentState !== 0;
  }

  /** Bytes of a UTF-8 character whose rest has not arrived. */
  get partialCharacter(): Uint8Array {
    const { interim } = this.#core._inputHandler._utf8Decoder;
    const end = interim.indexOf(0);
    return interim.subarray(0, end < 0 ? interim.length : end);
  }

  /** Not 0 right after a printed character: what `CSI b` repeats and a combining character joins. */
  get joinState(): number {
    return this.#core._inputHandler._parser.precedingJoinState;
  }

  /** Columns that a character takes when it is printed. */
  characterWidth(codePoint: number): number {
    return this.#core.unicodeService.wcwidth(codePoint);
  }

  get attributes(): AttributeData {
    return this.#core._inputHandler._curAttrData;
  }

  get charset(): Charset | undefined {
    return this.#core._charsetService.charset;
  }

  get charsetLevel(): number {
    return this.#core._charsetService.glevel;
  }

  designatedCharset(level: number): Charset | undefined {
    return this.#core._charsetService._charsets[level];
  }

  get modes(): PrivateModes {
    return this.#core.coreService.decPrivateModes;
  }

  get isInsertMode(): boolean {
    return this.#core.coreService.modes.insertMode;
  }

  get isCursorHidden(): boolean {
    return this.#core.coreService.isCursorHidden;
  }

  get mouseProtocol(): string {
    return this.#core.coreMouseService.activeProtocol;
  }

  get mouseEncoding(): string {
    return this.#core.coreMouseService.activeEncoding;
  }

  get title(): string {
    return this.#core._inputHandler._windowTitle;
  }

  get iconName(): string {
    return this.#core._inputHandler._iconName;
  }

  dispose(): void {
    this.terminal.dispose();
  }
}
