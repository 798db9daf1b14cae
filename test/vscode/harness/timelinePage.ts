import type { FrameLocator, Locator } from 'playwright-core';
import { until } from '../../support/ah.ts';
import type { Workbench } from './workbench.ts';

/** The timeline as a person meets it. */
export class TimelinePage {
  readonly workbench: Workbench;
  readonly frame: FrameLocator;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.frame = workbench.webview();
  }

  /** Opens the timeline of a session of the list and waits until it shows something. */
  static async open(workbench: Workbench, name: string): Promise<TimelinePage> {
    await workbench.command('AH: Open Timeline');
    const timeline = new TimelinePage(workbench);
    const entry = workbench.pick(name);
    // With one session there is nothing to pick.
    await until(
      async () => {
        if ((await timeline.byteText()) !== '') return true;
        if (await entry.isVisible()) await entry.click({ timeout: 2000 }).catch(() => undefined);
        return false;
      },
      'the timeline to open',
      60_000,
    );
    await timeline.placed();
    return timeline;
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
    const digits = /@([\d,]+)/.exec(await this.byteText())?.[1] ?? '';
    return Number(digits.replaceAll(',', ''));
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

  /** Presses a key where the player has the focus. */
  async press(key: string): Promise<void> {
    await this.frame.locator('.player').focus();
    await this.workbench.page.keyboard.press(key);
    await this.settled();
  }

  /** @param share of the width of the scrubber */
  async click(share: number): Promise<void> {
    const box = (await this.track.boundingBox())!;
    await this.workbench.page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
    await this.settled();
  }

  async shows(text: string, timeoutMs = 15_000): Promise<void> {
    await until(async () => (await this.text()).includes(text), `"${text}"`, timeoutMs).catch(
      async (error: unknown) => {
        throw new Error(`It shows:\n${await this.text()}`, { cause: error });
      },
    );
  }

  /** Waits until position and screen no longer change by themselves. */
  async settled(): Promise<void> {
    let before = '';
    let sameFor = 0;
    await until(
      async () => {
        const now = `${await this.byteText()}\n${await this.text()}`;
        sameFor = now === before ? sameFor + 1 : 0;
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 60));
        return sameFor >= 3;
      },
      'the timeline to come to rest',
      15_000,
    );
  }
}
