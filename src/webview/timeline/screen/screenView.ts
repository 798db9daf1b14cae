import { Terminal } from '@xterm/xterm';
import { limitLinks, limitRepetition, repeatedOnScreen } from '../../../base/terminalLimits.ts';
import { plainText } from '../../../base/plainText.ts';
import { WholeCharacters } from '../../../base/wholeCharacters.ts';
import type { PlaybackScreen, ShownState } from '../../../timeline/common/playback.ts';
import { element } from '../element.ts';
import { findInRows, type FoundText } from './findInRows.ts';
import { sequenceParser } from './sequenceParser.ts';
import { terminalTheme } from './terminalTheme.ts';
import { t } from '../words.ts';

/** Smaller could not be read; what is larger than the room then has to be scrolled. */
const MIN_FONT_SIZE = 7;
/**
 * A terminal takes what it is given in one go, however long that takes; between pieces it lets others work. So much takes less
 * than a tenth of a second even where every sequence fills the screen.
 */
const PIECE_BYTES = 1024;
/** Of a link, as much as is read where the pointer is on it. */
const MAX_ADDRESS_LENGTH = 300;
/** A terminal that never had the focus shows no cursor until its program has been to the other screen and back. */
const SHOW_CURSOR = '\x1b[?1047h\x1b[?1047l';
/** In a theme for those who need it. */
const HIGH_CONTRAST = 7;
/**
 * What xterm's own reset leaves as it was: a sequence under way, a hidden or other cursor, line feeds that return, and colours.
 * A state is a stream for a fresh terminal.
 */
const FRESH =
  '\x18\x1b[!p\x1b[20l\x1b[?12l\x1b[0 q\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07';
/** A program that asked for its output to be shown in one go had not finished: what there is is shown. */
const END_SYNCHRONIZED = '\x1b[?2026l';

/** The recorded terminal at its recorded size: smaller letters where it does not fit, never other lines. */
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
      { class: 'player', attributes: { 'aria-label': t('Recorded terminal'), tabindex: '0' } },
      element('div', { class: 'letterbox' }, this.#caption, this.#frame),
    );
    this.#terminal = new Terminal({
      // What was printed must not be able to do anything but be seen: no keys, no answers, no links that open.
      disableStdin: true,
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
    limitRepetition(sequenceParser(this.#terminal), () => {
      const { cols, rows } = this.#terminal;
      return { cols, rows, characters: (count) => repeatedOnScreen(count, cols, rows) };
    });
    limitLinks(this.#terminal.parser);
    new ResizeObserver(() => this.#fit()).observe(this.root);
    new MutationObserver(() => this.#paint()).observe(document.body, {
      attributeFilter: ['class', 'data-vscode-theme-id'],
    });
  }

  /** As the editor's own terminals look. */
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

  set caption(text: string) {
    this.#caption.textContent = text;
  }

  /** Whether it is about to show something else: screen readers wait for that. */
  set isBusy(isBusy: boolean) {
    this.root.ariaBusy = String(isBusy);
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  async reset({ cols, rows, stream }: ShownState): Promise<void> {
    // What was written before must not come after.
    await this.#taken('');
    this.#terminal.reset();
    this.#characters = new WholeCharacters();
    if (cols !== this.#terminal.cols || rows !== this.#terminal.rows) {
      this.#terminal.resize(cols, rows);
      this.#fit();
    }
    this.#terminal.write(FRESH);
    await this.write(stream);
    await this.rest();
  }

  async rest(): Promise<void> {
    await this.#taken('');
    if (this.#terminal.modes.synchronizedOutputMode) await this.#taken(END_SYNCHRONIZED);
  }

  write(bytes: Uint8Array): Promise<void> {
    const take = (from: number, to?: number) => this.#characters.take(bytes.subarray(from, to));
    let at = 0;
    for (; at + PIECE_BYTES < bytes.length; at += PIECE_BYTES) {
      this.#terminal.write(take(at, at + PIECE_BYTES));
    }
    return this.#taken(take(at));
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

  /** Resolves when the terminal has taken it in, and all before it. */
  #taken(data: string | Uint8Array): Promise<void> {
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
