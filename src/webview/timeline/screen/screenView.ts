import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import * as l10n from '@vscode/l10n';
import { limitLinks, limitRepetition, repeatedOnScreen } from '../../../base/terminalLimits.ts';
import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import { dropSoftHyphens } from '../../../base/softHyphens.ts';
import { plainText } from '../../../base/plainText.ts';
import { WholeCharacters } from '../../../base/wholeCharacters.ts';
import type { PlaybackScreen, ScreenState } from '../../../timeline/common/playback/playback.ts';
import { element } from '../element.ts';
import { findInRows, type FoundText } from './findInRows.ts';
import { inputHandler } from './inputHandler.ts';
import { terminalTheme } from './terminalTheme.ts';

/** Smallest readable font size; below it, the screen scrolls instead. */
const MIN_FONT_SIZE = 7;
/** xterm.js parses a piece without a pause: at worst, this size takes a tenth of a second. */
const PIECE_BYTES = 1024;
/** Length limit for the address of a link in the tooltip. */
const MAX_ADDRESS_LENGTH = 300;
/** Before its first focus, xterm.js shows a cursor only after a change of screens. */
const SHOW_CURSOR = '\x1b[?1047h\x1b[?1047l';
/** Contrast ratio for high-contrast themes. */
const HIGH_CONTRAST = 7;
/**
 * Resets what xterm.js's own reset keeps: an unfinished sequence, cursor visibility and style,
 * newline mode, and colors. The bytes of a state expect a fresh terminal.
 */
const FRESH =
  '\x18\x1b[!p\x1b[20l\x1b[?12l\x1b[0 q\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07';
/** Ends an unfinished synchronized update, so that its output becomes visible. */
const END_SYNCHRONIZED = '\x1b[?2026l';

/** The recorded terminal at its recorded size; shrinks the font where it does not fit. */
export class ScreenView implements PlaybackScreen {
  readonly root: HTMLElement;
  readonly #frame = element('div', { class: 'screen' });
  readonly #caption = element('div', { class: 'caption', attributes: { 'aria-hidden': 'true' } });
  readonly #terminal: Terminal;
  #font = { family: 'monospace', size: 14 };
  #minimumContrast = 1;
  #isOpen = false;
  #characters = new WholeCharacters();

  constructor() {
    this.root = element(
      'section',
      { class: 'player', attributes: { 'aria-label': l10n.t('Recorded terminal'), tabindex: '0' } },
      element('div', { class: 'letterbox' }, this.#caption, this.#frame),
    );
    this.#terminal = new Terminal({
      // Recorded output must not cause any action: no input, no replies, no links that open.
      disableStdin: true,
      // For the versions of Unicode only.
      allowProposedApi: true,
      linkHandler: {
        activate: () => {},
        hover: (_, address) => (this.root.title = plainText(address, MAX_ADDRESS_LENGTH)),
        leave: () => (this.root.title = ''),
      },
      scrollback: 0,
      cursorInactiveStyle: 'outline',
      screenReaderMode: document.body.classList.contains('vscode-using-screen-reader'),
    });
    this.#terminal.attachCustomKeyEventHandler(() => false);
    const handler = inputHandler(this.#terminal);
    dropSoftHyphens(handler);
    limitRepetition(handler._parser, () => {
      const { cols, rows } = this.#terminal;
      return { cols, rows, characters: (count) => repeatedOnScreen(count, cols, rows) };
    });
    limitLinks(this.#terminal.parser);
    this.#terminal.loadAddon(new Unicode11Addon());
    new ResizeObserver(() => this.#fit()).observe(this.root);
    new MutationObserver(() => this.#paint()).observe(document.body, {
      attributeFilter: ['class', 'data-vscode-theme-id'],
    });
  }

  /** Applies the look of the editor's own terminals. */
  open(font: { readonly family: string; readonly size: number }, minimumContrast: number): void {
    this.#font = font;
    this.#minimumContrast = minimumContrast;
    this.#terminal.options.fontFamily = font.family;
    this.#paint();
    this.#terminal.open(this.#frame);
    this.#terminal.textarea?.setAttribute('tabindex', '-1');
    this.#terminal.write(SHOW_CURSOR);
    this.#isOpen = true;
    this.#fit();
  }

  /** The widths of the program's terminal; applies to what is written from now on. */
  set unicodeVersion(version: UnicodeVersion) {
    this.#terminal.unicode.activeVersion = version;
  }

  set caption(text: string) {
    this.#caption.textContent = text;
  }

  /** Whether another screen is loading: screen readers wait for it. */
  set isBusy(isBusy: boolean) {
    this.root.ariaBusy = String(isBusy);
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  async reset({ cols, rows, bytes }: ScreenState): Promise<void> {
    // Wait for earlier writes, which would otherwise appear after the reset.
    await this.#parsed('');
    this.#terminal.reset();
    this.#characters = new WholeCharacters();
    if (cols !== this.#terminal.cols || rows !== this.#terminal.rows) {
      this.#terminal.resize(cols, rows);
      this.#fit();
    }
    this.#terminal.write(FRESH);
    await this.write(bytes);
    await this.rest();
  }

  async rest(): Promise<void> {
    await this.#parsed('');
    if (this.#terminal.modes.synchronizedOutputMode) await this.#parsed(END_SYNCHRONIZED);
  }

  write(bytes: Uint8Array): Promise<void> {
    const take = (from: number, to?: number) => this.#characters.take(bytes.subarray(from, to));
    let at = 0;
    for (; at + PIECE_BYTES < bytes.length; at += PIECE_BYTES) {
      this.#terminal.write(take(at, at + PIECE_BYTES));
    }
    return this.#parsed(take(at));
  }

  /** Selects a text on the screen and scrolls to it. @returns whether it is on the screen */
  highlight(text: string): boolean {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => {
      return active.getLine(active.viewportY + row);
    });
    const found = findInRows(lines, text);
    if (!found) {
      this.#terminal.clearSelection();
      return false;
    }
    this.#select(found);
    return true;
  }

  clearHighlight(): void {
    this.#terminal.clearSelection();
  }

  /** Resolves when the terminal has parsed this and all earlier data. */
  #parsed(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(data, resolve));
  }

  #select({ row, column, length }: FoundText): void {
    this.#terminal.select(column, row, length);
    const rowHeight = this.#frame.clientHeight / this.#terminal.rows;
    const top = this.#frame.offsetTop + row * rowHeight;
    const { scrollTop, clientHeight } = this.root;
    if (top < scrollTop || top + rowHeight > scrollTop + clientHeight) {
      this.root.scrollTop = top - clientHeight / 2;
    }
  }

  #paint(): void {
    this.#terminal.options.theme = terminalTheme();
    const isHighContrast = document.body.classList.contains('vscode-high-contrast');
    const least = isHighContrast ? HIGH_CONTRAST : 1;
    this.#terminal.options.minimumContrastRatio = Math.max(least, this.#minimumContrast);
  }

  /** Uses the font size of the editor's terminals, or a smaller one that fits. */
  #fit(): void {
    if (!this.#isOpen) return;
    const { cols, rows } = this.#terminal;
    const cell = this.#cellAt(this.#font.size);
    const width = this.root.clientWidth - this.#chrome.width;
    const height = this.root.clientHeight - this.#chrome.height;
    if (width <= 0 || height <= 0) return;
    const share = Math.min(1, width / (cols * cell.width), height / (rows * cell.height));
    // xterm.js rounds font sizes to half a pixel.
    const size = Math.max(MIN_FONT_SIZE, Math.floor(this.#font.size * share * 2) / 2);
    if (this.#terminal.options.fontSize !== size) this.#terminal.options.fontSize = size;
  }

  /** Size of the border around the cells. */
  get #chrome(): { width: number; height: number } {
    return { width: 42, height: 64 };
  }

  /** Measures a cell; xterm.js rounds its height up. */
  #cellAt(size: number): { width: number; height: number } {
    const probe = element('span', { class: 'probe', text: 'W'.repeat(50) });
    probe.style.fontFamily = this.#font.family;
    probe.style.fontSize = `${size}px`;
    this.root.append(probe);
    const { width, height } = probe.getBoundingClientRect();
    probe.remove();
    return { width: width / 50, height: Math.ceil(height) };
  }
}
