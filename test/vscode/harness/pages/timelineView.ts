import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { TerminalSize } from '../../../../src/base/terminalSize.ts';
import { until } from '../../../support/ah.ts';
import { RENDERED_ROWS, type RenderedRun } from './renderedRows.ts';

/** What the page shows at rest. */
export interface ShownScreen {
  readonly byteOffset: number;
  readonly size: TerminalSize;
  readonly rows: readonly (readonly RenderedRun[])[];
}

/** Page object of the timeline. */
export class TimelineView {
  readonly page: Page;
  /** The frame of the timeline. */
  readonly frame: Pick<FrameLocator, 'locator'>;

  constructor(page: Page, frame: Pick<FrameLocator, 'locator'>) {
    this.page = page;
    this.frame = frame;
  }

  /** Presses `i` and writes the instruction of a branch. */
  async instruct(text: string): Promise<void> {
    await this.frame.locator('.player').focus();
    await this.page.keyboard.press('i');
    await this.writeInstruction(text);
  }

  /** Writes into the opened box, and sends it. */
  async writeInstruction(text: string): Promise<void> {
    await this.frame.locator('.instruction textarea').fill(text);
    await this.page.keyboard.press('Enter');
  }

  async placed(): Promise<void> {
    await until(async () => (await this.byteText()) !== '', 'the timeline to be placed', 30_000);
    await this.settled();
  }

  get track(): Locator {
    return this.frame.locator('.track');
  }

  async byteText(): Promise<string> {
    const bytes = this.frame.locator('.bytes');
    return (await bytes.count()) === 0 ? '' : ((await bytes.textContent()) ?? '');
  }

  async byteOffset(): Promise<number> {
    return offsetIn(await this.byteText());
  }

  async positionText(): Promise<string> {
    return (await this.frame.locator('.time').textContent()) ?? '';
  }

  async text(): Promise<string> {
    const rows = await this.frame.locator('.player .xterm-rows > div').allTextContents();
    return rows
      .map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
      .join('\n')
      .trimEnd();
  }

  /** The rendered rows of the terminal. */
  async renderedRows(): Promise<RenderedRun[][]> {
    const rows: RenderedRun[][] = await this.frame.locator('body').evaluate(RENDERED_ROWS);
    return rows;
  }

  /** Waits like {@link settled}, and reads position and screen with the same request. */
  async shownScreen(): Promise<ShownScreen> {
    const [bytes, caption, rows]: [string, string, RenderedRun[][]] = await this.frame
      .locator('body')
      .evaluate(SHOWN_SCREEN);
    return { byteOffset: offsetIn(bytes), size: sizeIn(caption), rows };
  }

  /** The size shown above the terminal. */
  async terminalSize(): Promise<TerminalSize> {
    return sizeIn((await this.frame.locator('.caption').textContent()) ?? '');
  }

  /** Waits until playback ends. */
  async paused(): Promise<void> {
    const play = this.frame.locator('.controls [aria-label^="Play"]');
    await play.waitFor({ timeout: 120_000 });
    await this.settled();
  }

  /** Focuses the player and presses a key. */
  async press(key: string): Promise<void> {
    await this.frame.locator('.player').focus();
    await this.page.keyboard.press(key);
    await this.settled();
  }

  /** Starts playback, and does not wait for the screen to settle. */
  async startPlaying(): Promise<void> {
    await this.frame.locator('.player').focus();
    const body = this.frame.locator('body');
    await body.evaluate(WATCH_PLAYING);
    await this.page.keyboard.press('Space');
    await body.evaluate('globalThis.isPlaying');
  }

  async setSpeed(speed: number): Promise<void> {
    await this.frame.locator('.controls select').selectOption(String(speed));
  }

  /** @param share of the width of the scrubber */
  async click(share: number): Promise<void> {
    const box = (await this.track.boundingBox())!;
    await this.page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
    await this.settled();
  }

  async shows(text: string, timeoutMs = 15_000): Promise<void> {
    let shown = '';
    const isShown = async () => {
      // VS Code replaces the frame of a page that loads, which aborts the reading.
      shown = await this.text().catch(() => shown);
      return shown.includes(text);
    };
    await until(isShown, `"${text}"`, timeoutMs).catch((error: unknown) => {
      throw new Error(`It shows:\n${shown}`, { cause: error });
    });
  }

  /** Waits until the requested position is shown and the screen is stable. */
  async settled(): Promise<void> {
    await this.frame.locator('body').evaluate(AT_REST);
  }
}

function offsetIn(bytes: string): number {
  const digits = /@([\d,]+)/.exec(bytes)?.[1] ?? '';
  return Number(digits.replaceAll(',', ''));
}

function sizeIn(caption: string): TerminalSize {
  const [cols = 0, rows = 0] = caption.match(/\d+/g)!.map(Number);
  return { cols, rows };
}

/**
 * Runs in the page: creates a promise that resolves when playback starts. A poll could miss a short
 * recording.
 */
const WATCH_PLAYING = `(() => {
  globalThis.isPlaying = new Promise((resolve) => {
    const controls = document.querySelector('.controls');
    const observer = new MutationObserver(() => {
      if (!controls.querySelector('[aria-label^="Pause"]')) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(controls, { subtree: true, childList: true, attributes: true });
  });
})()`;

/** Runs in the page: resolves when the page shows the same before and after it draws. */
const AT_REST = `(async () => {
  const shown = () => {
    const player = document.querySelector('.player');
    if (player?.ariaBusy === 'true') return undefined;
    const rows = [...document.querySelectorAll('.player .xterm-rows > div')];
    return [document.querySelector('.bytes')?.textContent, ...rows.map((row) => row.textContent)].join('\\n');
  };
  const drawn = () => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shown()), 10)));
  });
  const deadline = performance.now() + 60_000;
  let before = await new Promise((resolve) => requestAnimationFrame(() => resolve(shown())));
  while (performance.now() < deadline) {
    const now = await drawn();
    if (now !== undefined && now === before) return;
    before = now;
  }
  throw new Error('The timeline does not come to rest.');
})()`;

/** Runs in the page, as {@link AT_REST}: the texts of position and size, and the rendered rows. */
const SHOWN_SCREEN = `${AT_REST}.then(() => [
  document.querySelector('.bytes').textContent,
  document.querySelector('.caption').textContent,
  ${RENDERED_ROWS},
])`;
