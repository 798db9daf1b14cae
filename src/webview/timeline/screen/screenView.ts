import type { Terminal } from '@xterm/xterm';
import * as l10n from '@vscode/l10n';
import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import { plainText } from '../../../base/plainText.ts';
import type { PlaybackScreen, ScreenState } from '../../../timeline/common/playback/playback.ts';
import { element } from '../element.ts';
import { findInRows, type FoundText } from './findInRows.ts';
import { RecordedTerminal } from './recordedTerminal.ts';
import { terminalTheme } from './terminalTheme.ts';

/** Smallest readable font size; below it, the screen scrolls instead. */
const MIN_FONT_SIZE = 7;
/** Length limit for the address of a link in the tooltip. */
const MAX_ADDRESS_LENGTH = 300;
/** Before its first focus, xterm.js shows a cursor only after a change of screens. */
const SHOW_CURSOR = '\x1b[?1047h\x1b[?1047l';
/** Contrast ratio for high-contrast themes. */
const HIGH_CONTRAST = 7;

/** The recorded terminal at its recorded size; shrinks the font where it does not fit. */
export class ScreenView implements PlaybackScreen {
  readonly root: HTMLElement;
  readonly #frame = element('div', { class: 'screen' });
  readonly #caption = element('div', { class: 'caption', attributes: { 'aria-hidden': 'true' } });
  readonly #recorded: RecordedTerminal;
  readonly #terminal: Terminal;
  #font = { family: 'monospace', size: 14 };
  #minimumContrast = 1;
  #isOpen = false;

  constructor() {
    this.root = element(
      'section',
      { class: 'player', attributes: { 'aria-label': l10n.t('Recorded terminal'), tabindex: '0' } },
      element('div', { class: 'letterbox' }, this.#caption, this.#frame),
    );
    this.#recorded = new RecordedTerminal({
      linkHandler: {
        activate: () => {},
        hover: (_, address) => (this.root.title = plainText(address, MAX_ADDRESS_LENGTH)),
        leave: () => (this.root.title = ''),
      },
      cursorInactiveStyle: 'outline',
      screenReaderMode: document.body.classList.contains('vscode-using-screen-reader'),
    });
    this.#terminal = this.#recorded.xterm;
    this.#terminal.onResize(() => this.#fit());
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
    this.#recorded.unicodeVersion = version;
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

  reset(state: ScreenState): Promise<void> {
    return this.#recorded.reset(state);
  }

  rest(): Promise<void> {
    return this.#recorded.rest();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#recorded.write(bytes);
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
