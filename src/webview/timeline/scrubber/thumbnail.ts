import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import type { ScreenState } from '../../../timeline/common/playback/playback.ts';
import { element } from '../element.ts';
import { drawScreen } from '../screen/drawScreen.ts';
import { RecordedTerminal } from '../screen/recordedTerminal.ts';
import { terminalTheme } from '../screen/terminalTheme.ts';

const MAX_WIDTH = 280;
const MAX_HEIGHT = 150;
/** Maximum share of the page's height for a thumbnail: a low page has little room. */
const MAX_PAGE_SHARE = 0.25;
/** Height of a cell divided by its width, as in most fonts. */
const CELL_RATIO = 2;
/** Width of a character divided by the size of its font, as in most monospaced fonts. */
const CHARACTER_WIDTH = 0.6;

/** A small picture of the recorded terminal. */
export class Thumbnail {
  readonly root = element('canvas', {
    class: 'thumbnail',
    attributes: { 'aria-hidden': 'true', hidden: '' },
  });
  readonly #frameAt: (timeMs: number) => Promise<ScreenState>;
  readonly #onDraw: () => void;
  readonly #terminal = new RecordedTerminal();
  /** The time of the screen to load next. */
  #wantedMs: number | undefined;
  #isWanted = false;
  #isLoading = false;

  /** @param onDraw called after the picture has changed; its size may have changed, too */
  constructor(frameAt: (timeMs: number) => Promise<ScreenState>, onDraw: () => void) {
    this.#frameAt = frameAt;
    this.#onDraw = onDraw;
  }

  set unicodeVersion(version: UnicodeVersion) {
    this.#terminal.unicodeVersion = version;
  }

  /**
   * Loads and draws the screen at a time; while another one is loading, only the last call counts.
   */
  show(timeMs: number): void {
    this.#wantedMs = timeMs;
    this.#isWanted = true;
    if (!this.#isLoading) void this.#load();
  }

  /** Hides the picture; a screen that is still loading is not shown. */
  hide(): void {
    this.#wantedMs = undefined;
    this.#isWanted = false;
    this.root.hidden = true;
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    while (this.#wantedMs !== undefined) {
      const timeMs = this.#wantedMs;
      this.#wantedMs = undefined;
      try {
        await this.#terminal.reset(await this.#frameAt(timeMs));
        if (this.#isWanted) this.#draw();
      } catch {
        // Another part of the page says why the recording can't be read.
        this.root.hidden = true;
      }
    }
    this.#isLoading = false;
  }

  #draw(): void {
    const { cols, rows } = this.#terminal.xterm;
    const maxHeight = Math.min(MAX_HEIGHT, innerHeight * MAX_PAGE_SHARE);
    const width = Math.min(MAX_WIDTH / cols, maxHeight / (rows * CELL_RATIO));
    const height = width * CELL_RATIO;
    this.root.style.width = `${cols * width}px`;
    this.root.style.height = `${rows * height}px`;
    const cell = { width: width * devicePixelRatio, height: height * devicePixelRatio };
    this.root.width = Math.round(cols * cell.width);
    this.root.height = Math.round(rows * cell.height);
    const context = this.root.getContext('2d');
    if (!context) return;
    const size = cell.width / CHARACTER_WIDTH;
    context.font = `${size}px ${getComputedStyle(this.root).fontFamily}`;
    drawScreen(context, this.#terminal.xterm, terminalTheme(), cell);
    this.root.hidden = false;
    this.#onDraw();
  }
}
