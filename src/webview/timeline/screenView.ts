import { Terminal } from '@xterm/xterm';
import { WholeCharacters } from '../../base/wholeCharacters.ts';
import type { PlaybackScreen, ShownState } from '../../replay/playback.ts';
import { element } from './element.ts';
import { findInRows, type FoundText } from './findInRows.ts';
import { terminalTheme } from './terminalTheme.ts';
import { t } from './words.ts';

/** Smaller could not be read; what is larger than the room then has to be scrolled. */
const MIN_FONT_SIZE = 7;
/** A program that asked for its output to be shown in one go had not finished: what there is is shown. */
const END_SYNCHRONIZED = '\x1b[?2026l';

/** The recorded terminal at its recorded size: smaller letters where it does not fit, never other lines. */
export class ScreenView implements PlaybackScreen {
  readonly root: HTMLElement;
  readonly #frame = element('div', { class: 'screen' });
  readonly #caption = element('div', { class: 'caption', attributes: { 'aria-hidden': 'true' } });
  readonly #terminal: Terminal;
  #font = { family: 'monospace', size: 14 };
  #isOpen = false;
  #characters = new WholeCharacters();

  constructor() {
    this.root = element(
      'section',
      { class: 'player', attributes: { 'aria-label': t('Recorded terminal'), tabindex: '0' } },
      element('div', { class: 'letterbox' }, this.#caption, this.#frame),
    );
    this.#terminal = new Terminal({
      // What was printed must not be able to do anything but be seen: no keys, no answers, no links that open.
      disableStdin: true,
      linkHandler: {
        activate: () => {},
        hover: (_, address) => (this.root.title = address),
        leave: () => (this.root.title = ''),
      },
      scrollback: 0,
      cursorInactiveStyle: 'outline',
      screenReaderMode: document.body.classList.contains('vscode-using-screen-reader'),
    });
    this.#terminal.attachCustomKeyEventHandler(() => false);
    new ResizeObserver(() => this.#fit()).observe(this.root);
    new MutationObserver(() => this.#paint()).observe(document.body, {
      attributeFilter: ['class', 'data-vscode-theme-id'],
    });
  }

  setFont(font: { readonly family: string; readonly size: number }): void {
    this.#font = font;
    this.#terminal.options.fontFamily = font.family;
    this.#paint();
    this.#terminal.open(this.#frame);
    this.#terminal.textarea?.setAttribute('tabindex', '-1');
    this.#isOpen = true;
    this.#fit();
  }

  set caption(text: string) {
    this.#caption.textContent = text;
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  async reset({ cols, rows, stream }: ShownState): Promise<void> {
    this.#terminal.reset();
    this.#characters = new WholeCharacters();
    if (cols !== this.#terminal.cols || rows !== this.#terminal.rows) {
      this.#terminal.resize(cols, rows);
      this.#fit();
    }
    await this.write(stream);
    if (this.#terminal.modes.synchronizedOutputMode) {
      await new Promise<void>((resolve) => this.#terminal.write(END_SYNCHRONIZED, resolve));
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    const whole = this.#characters.take(bytes);
    return new Promise((resolve) => this.#terminal.write(whole, resolve));
  }

  /** The text that is shown, row by row. */
  get rows(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) => {
      return active.getLine(active.viewportY + row)?.translateToString(true) ?? '';
    });
  }

  /** Marks a text where it is shown, and brings it into view. @returns whether it is shown */
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
    this.#terminal.options.minimumContrastRatio = isHighContrast ? 7 : 4.5;
  }

  /** As large as the editor's own terminals, or as small as it has to be. */
  #fit(): void {
    if (!this.#isOpen) return;
    const { cols, rows } = this.#terminal;
    const cell = this.#cellAt(this.#font.size);
    const width = this.root.clientWidth - this.#chrome.width;
    const height = this.root.clientHeight - this.#chrome.height;
    if (width <= 0 || height <= 0) return;
    const share = Math.min(1, width / (cols * cell.width), height / (rows * cell.height));
    // Half a pixel is the smallest difference that a terminal draws.
    const size = Math.max(MIN_FONT_SIZE, Math.floor(this.#font.size * share * 2) / 2);
    if (this.#terminal.options.fontSize !== size) this.#terminal.options.fontSize = size;
  }

  /** What surrounds the cells. */
  get #chrome(): { width: number; height: number } {
    return { width: 42, height: 64 };
  }

  /** Of a font, measured; a terminal rounds the height up and has a tenth more between lines at most. */
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
