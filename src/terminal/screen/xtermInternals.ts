import * as unicode11 from '@xterm/addon-unicode11';
import * as headless from '@xterm/headless';
import type { Disposable } from '../../base/lifecycle.ts';
import { SOFT_HYPHEN_BYTE, dropSoftHyphens, type Printer } from '../../base/softHyphens.ts';
import { limitLinks, limitRepetition, type SequenceParser } from '../../base/terminalLimits.ts';
import { DEFAULT_UNICODE_VERSION, type UnicodeVersion } from '../../base/unicodeVersion.ts';
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
} from './screenTypes.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';

const { Terminal } = exportsOf(headless);
type Terminal = headless.Terminal;
const { Unicode11Addon } = exportsOf(unicode11);

/** CommonJS modules: in a bundle, the namespace has the exports; in Node, its `default` does. */
function exportsOf<T extends object>(namespace: T): T {
  return (Reflect.get(namespace, 'default') as T | undefined) ?? namespace;
}

/**
 * The only file that uses xterm's private interface. The public interface parses in batches driven
 * by timers, and lacks the current attributes, saved cursors and character sets, which we must
 * restore exactly. Every member is checked once per terminal, so that with another version of xterm
 * the error names the member that differs.
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
  readonly _inputHandler: Printer & {
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

/** Required members of xterm and their types. */
const EXPECTED: Readonly<Record<string, string>> = {
  '_inputHandler.parse': 'function',
  '_inputHandler.print': 'function',
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

/** The text of a cell with more than one code point. */
export function combinedTextOf(line: ScreenLine, column: number): string {
  return (line as PrivateLine)._combined[column] ?? '';
}

export function extendedOf(line: ScreenLine, column: number): ExtendedAttributes | undefined {
  return (line as PrivateLine)._extendedAttrs[column];
}

/** Underline style and color as stored; xterm's getter hides the style of a hyperlink. */
export function extendedBits(extended: ExtendedAttributes): number {
  return (extended as unknown as { _ext: number })._ext;
}

/** Drops data of overwritten cells, which xterm's reflow would copy over the current ones. */
export function dropStaleCells(line: ScreenLine): void {
  // The `!`s are safe: the keys are columns of the line.
  const { _combined, _extendedAttrs, _data } = line as PrivateLine;
  for (const key of Object.keys(_combined).map(Number)) {
    if ((_data[key * CELL_SIZE]! & IS_COMBINED) === 0) delete _combined[key];
  }
  for (const key of Object.keys(_extendedAttrs).map(Number)) {
    if ((_data[key * CELL_SIZE + 2]! & HAS_EXTENDED) === 0) delete _extendedAttrs[key];
  }
}

/** A headless terminal that parses synchronously, has no scrollback and exposes its state. */
export class XtermTerminal implements Disposable {
  readonly terminal: Terminal;
  readonly #core: PrivateCore;
  #hasSoftHyphens = false;

  constructor(size: TerminalSize, unicodeVersion: UnicodeVersion = DEFAULT_UNICODE_VERSION) {
    this.terminal = new Terminal({
      cols: size.cols,
      rows: size.rows,
      scrollback: 0,
      allowProposedApi: true,
      logLevel: 'off',
      windowOptions: { getWinSizeChars: true },
    });
    if (unicodeVersion === '11') this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = unicodeVersion;
    this.#core = checkedCore(this.terminal);
    limitRepetition(this.#core._inputHandler._parser, () => this.size);
    limitLinks(this.terminal.parser);
    dropSoftHyphens(this.#core._inputHandler, () => !this.#hasSoftHyphens);
  }

  get size(): TerminalSize {
    return { cols: this.terminal.cols, rows: this.terminal.rows };
  }

  /** @param bytes must not start or end within a character */
  parse(bytes: Uint8Array): void {
    this.#hasSoftHyphens = bytes.includes(SOFT_HYPHEN_BYTE);
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

  /**
   * First and last row of the active buffer that changed since the start of `parse` or
   * `clearDamage`.
   */
  get damage(): { readonly start: number; readonly end: number } {
    return this.#core._inputHandler._dirtyRowTracker;
  }

  clearDamage(): void {
    this.#core._inputHandler._dirtyRowTracker.clearRange();
  }

  /** Calls `before` and `after` around every scroll of the active buffer by one row. */
  interceptScroll(before: () => void, after: () => void): void {
    const service = this.#core._bufferService;
    const scroll = service.scroll.bind(service);
    service.scroll = (eraseAttributes, isWrapped) => {
      before();
      scroll(eraseAttributes, isWrapped);
      after();
    };
  }

  /** Called after a switch; `left` is the buffer that was active. */
  onBufferSwitch(listener: (left: ScreenBuffer) => void): void {
    this.#core._bufferService.buffers.onBufferActivate((event) => listener(event.inactiveBuffer));
  }

  /** Called after a full reset (RIS). */
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

  /** First bytes of an incomplete UTF-8 character. */
  get partialCharacter(): Uint8Array {
    const { interim } = this.#core._inputHandler._utf8Decoder;
    const end = interim.indexOf(0);
    return interim.subarray(0, end < 0 ? interim.length : end);
  }

  /**
   * Not 0 directly after a printed character, which `CSI b` repeats and combining characters join.
   */
  get joinState(): number {
    return this.#core._inputHandler._parser.precedingJoinState;
  }

  /** Number of columns of a printed character. */
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
