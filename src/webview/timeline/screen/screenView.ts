import type { Terminal } from '@xterm/xterm';
import * as l10n from '@vscode/l10n';
import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import { plainText } from '../../../base/plainText.ts';
import type { PlaybackScreen, ScreenState } from '../../../timeline/common/playback/playback.ts';
import { element } from '../element.ts';
import { readableDimText } from './dimText.ts';
import { findInRows } from './findInRows.ts';
import { FollowedCells } from './followedCells.ts';
import { MatchBoxes } from './matchBoxes.ts';
import { RecordedTerminal } from './recordedTerminal.ts';
import { terminalTheme } from './terminalTheme.ts';
import { FITTING_SCALE } from './textScale.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Smallest readable font size. If the screen would need a smaller one, it scrolls instead. */
const MIN_FONT_SIZE = 10;
/** xterm.js rounds font sizes to half a pixel. */
const FONT_STEP = 0.5;
/** Maximum length of a link's address in the tooltip. */
const MAX_ADDRESS_LENGTH = 300;
/**
 * Until its first focus, xterm.js shows a cursor only after a switch to the alternate screen and
 * back.
 */
const SHOW_CURSOR = '\x1b[?1047h\x1b[?1047l';
/** Minimum contrast ratio in high-contrast themes; xterm.js ensures half of it for dim text. */
const HIGH_CONTRAST = 9;

/**
 * The recorded terminal at its recorded size. Shrinks the font where the screen does not fit, down
 * to a readable size, and scrolls where it still does not fit or the user chose larger text.
 */
export class ScreenView implements PlaybackScreen {
  readonly root: HTMLElement;
  readonly #frame = element('div', { class: 'screen' });
  readonly #caption = element('div', { class: 'caption', attributes: { 'aria-hidden': 'true' } });
  readonly #dimText = element('style');
  readonly #letterbox = element('div', { class: 'letterbox' }, this.#caption, this.#frame);
  readonly #recorded: RecordedTerminal;
  readonly #terminal: Terminal;
  readonly #boxes: MatchBoxes;
  readonly #followed: FollowedCells;
  #font = { family: 'monospace', size: 14 };
  #minimumContrast = 1;
  #textScale = FITTING_SCALE;
  #isOpen = false;

  constructor() {
    this.root = element(
      'section',
      { class: 'player', attributes: { 'aria-label': l10n.t('Recorded terminal'), tabindex: '0' } },
      this.#letterbox,
      this.#dimText,
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
    this.#boxes = new MatchBoxes(this.#recorded);
    this.#followed = new FollowedCells(this.root, this.#recorded);
    this.#terminal.onRender(() => {
      this.#boxes.draw();
      this.#followed.update();
    });
    this.#terminal.onResize(() => this.#fit());
    // The wheel scrolls the player: xterm.js would turn it into input for the program.
    this.root.addEventListener('wheel', (event) => event.stopPropagation(), { capture: true });
    const resizes = new ResizeObserver(() => this.#fit());
    for (const each of [this.root, this.#caption]) resizes.observe(each);
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
    this.#terminal.element?.querySelector('.xterm-screen')?.append(this.#boxes.root);
    this.#terminal.textarea?.setAttribute('tabindex', '-1');
    this.#terminal.write(SHOW_CURSOR);
    this.#isOpen = true;
    this.#fit();
  }

  /**
   * Unicode version of the program's terminal, for the widths of characters written from now on.
   */
  set unicodeVersion(version: UnicodeVersion) {
    this.#recorded.unicodeVersion = version;
  }

  set caption(text: string) {
    this.#caption.textContent = text;
  }

  /** Whether another screen is loading. Screen readers wait until it is shown. */
  set isBusy(isBusy: boolean) {
    this.root.ariaBusy = String(isBusy);
  }

  get textScale(): number {
    return this.#textScale;
  }

  set textScale(scale: number) {
    this.#textScale = scale;
    this.#fit();
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  async reset(state: ScreenState): Promise<void> {
    await this.#recorded.reset(state);
    this.#followed.followCursor();
  }

  rest(): Promise<void> {
    return this.#recorded.rest();
  }

  write(bytes: Uint8Array): Promise<void> {
    this.#followed.leaveHit();
    return this.#recorded.write(bytes);
  }

  /** The text of the screen, without the spaces at the ends of rows. */
  get text(): string {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    )
      .join('\n')
      .trimEnd();
  }

  /** Selects a text on the screen and scrolls to it. @returns whether it is on the screen */
  highlight(text: string): boolean {
    const found = findInRows(this.#recorded.visibleRows(), text);
    if (!found) {
      this.#terminal.clearSelection();
      return false;
    }
    this.#terminal.select(found.column, found.row, found.length);
    this.#followed.followHit(found);
    return true;
  }

  /** Scrolls to the cursor, and keeps it in view until the user scrolls. */
  followCursor(): void {
    this.#followed.followCursor();
  }

  /** Draws a box around each match on the screen, and updates the boxes when the screen changes. */
  set matches(pattern: RegExp | undefined) {
    this.#boxes.pattern = pattern;
  }

  clearHighlight(): void {
    this.#terminal.clearSelection();
  }

  #paint(): void {
    const theme = terminalTheme();
    this.#terminal.options.theme = theme;
    const isHighContrast = document.body.classList.contains('vscode-high-contrast');
    this.#dimText.textContent = isHighContrast ? readableDimText(theme) : '';
    const least = isHighContrast ? HIGH_CONTRAST : 1;
    this.#terminal.options.minimumContrastRatio = Math.max(least, this.#minimumContrast);
  }

  /** Sets the font size: the fitting size times the factor that the user chose. */
  #fit(): void {
    if (!this.#isOpen) return;
    const room = this.#room();
    if (room.width <= 0 || room.height <= 0) return;
    const size = roundToStep(this.#fittingSize(room) * this.#textScale);
    if (this.#terminal.options.fontSize !== size) this.#terminal.options.fontSize = size;
    this.#followed.update();
  }

  /** The font size of the editor's terminals, or a smaller one at which the screen fits. */
  #fittingSize(room: Size): number {
    const { cols, rows } = this.#terminal;
    let { size } = this.#font;
    while (size > MIN_FONT_SIZE) {
      const cell = this.#cellAt(size);
      const share = Math.min(room.width / (cols * cell.width), room.height / (rows * cell.height));
      if (share >= 1) break;
      // The estimate is not exact, since the height of a cell is rounded: measure again.
      const estimate = Math.min(roundToStep(size * share), size - FONT_STEP);
      size = Math.max(MIN_FONT_SIZE, estimate);
    }
    return size;
  }

  /** The space in the player that is available for cells. */
  #room(): Size {
    const [player, frame] = [edgesOf(this.root), edgesOf(this.#frame)];
    const captionHeight = this.#letterbox.clientHeight - this.#frame.offsetHeight;
    return {
      width: this.root.offsetWidth - player.width - frame.width,
      height: this.root.offsetHeight - player.height - frame.height - captionHeight,
    };
  }

  /** Measures a cell; xterm.js rounds its height up. */
  #cellAt(size: number): Size {
    const probe = element('span', { class: 'probe', text: 'W'.repeat(50) });
    probe.style.fontFamily = this.#font.family;
    probe.style.fontSize = `${size}px`;
    this.root.append(probe);
    const { width, height } = probe.getBoundingClientRect();
    probe.remove();
    return { width: width / 50, height: Math.ceil(height) };
  }
}

/** The size of an element's padding and border. */
function edgesOf(target: HTMLElement): Size {
  const style = getComputedStyle(target);
  const sum = (...names: readonly string[]) =>
    names.reduce((total, name) => total + parseFloat(style.getPropertyValue(name)), 0);
  return {
    width: sum('padding-left', 'padding-right', 'border-left-width', 'border-right-width'),
    height: sum('padding-top', 'padding-bottom', 'border-top-width', 'border-bottom-width'),
  };
}

function roundToStep(size: number): number {
  return Math.floor(size / FONT_STEP) * FONT_STEP;
}
