import type { Locator } from 'playwright-core';
import { until } from '../../../support/ah.ts';
import type { Workbench } from './workbench.ts';

/** Page object of a transcript. */
export class TranscriptPage {
  readonly workbench: Workbench;
  readonly editor: Locator;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.editor = workbench.page.locator(
      '.editor-instance .monaco-editor[data-uri^="ah-transcript"]',
    );
  }

  /** The draft between the lines. */
  get draft(): Locator {
    return this.workbench.page.locator('.review-widget');
  }

  lens(title: string): Locator {
    return this.editor.locator('.codelens-decoration a', { hasText: title });
  }

  /** A visible line. */
  line(text: string): Locator {
    return this.editor.locator('.view-line', { hasText: text }).first();
  }

  async text(): Promise<string> {
    const lines = await this.editor.locator('.view-line').allTextContents();
    return lines.map((line) => line.replaceAll('\u00a0', ' ')).join('\n');
  }

  async shows(text: string, timeoutMs = 30_000): Promise<void> {
    await until(
      async () => (await this.text()).includes(text),
      `"${text}" in the transcript`,
      timeoutMs,
    ).catch(async (error: unknown) => {
      throw new Error(`It shows:\n${await this.text()}`, { cause: error });
    });
  }

  /** Opens a draft by the `+` beside the hovered line. */
  async openDraft(text: string): Promise<void> {
    await this.lens('Open snapshot').first().waitFor(); // Code lenses move the lines.
    const { mouse } = this.workbench.page;
    const glyphs = this.editor.locator('.comment-range-glyph');
    await until(
      async () => {
        const line = (await this.line(text).boundingBox())!;
        const middle = line.y + line.height / 2;
        await mouse.move(line.x + 60, middle);
        await mouse.move(line.x + 50, middle);
        for (const glyph of await glyphs.all()) {
          const box = await glyph.boundingBox();
          if (!box || middle < box.y || middle > box.y + box.height) continue;
          await mouse.click(box.x + box.width / 2, middle);
          const isThere = () => true;
          return this.draft.waitFor({ timeout: 5000 }).then(isThere, () => false);
        }
        return false;
      },
      'the draft',
      30_000,
    );
  }

  /** The label of the draft. */
  title(text: string): Locator {
    return this.draft.locator('.head', { hasText: text });
  }

  /** The text of the line above the draft. */
  async draftedLine(): Promise<string> {
    const { y } = (await this.draft.boundingBox())!;
    const above: { readonly text: string; readonly bottom: number }[] = [];
    for (const line of await this.editor.locator('.lines-content .view-line').all()) {
      // The editor removes lines while it scrolls.
      const box = await line.boundingBox({ timeout: 500 }).catch(() => null);
      const isInside =
        (await line.locator('xpath=ancestor::*[@class="review-widget"]').count()) > 0;
      if (!box || isInside || box.y + box.height > y + 2) continue;
      const text = await line.innerText({ timeout: 500 }).catch(() => '');
      above.push({ text, bottom: box.y + box.height });
    }
    return above.sort((a, b) => b.bottom - a.bottom)[0]?.text ?? '';
  }

  async branch(): Promise<void> {
    await this.draft.locator('.monaco-button', { hasText: 'Branch here' }).first().click();
  }

  async discard(): Promise<void> {
    await this.draft.locator('.action-label[aria-label="Discard Draft"]').click();
    await this.draft.waitFor({ state: 'hidden' });
  }

  async write(text: string): Promise<void> {
    await this.draft.locator('.monaco-editor').first().click();
    await this.workbench.page.keyboard.type(text);
  }

  /** Whether a line is dimmed. */
  async isDimmed(text: string): Promise<boolean> {
    const opacity = await this.line(text)
      .locator('span span')
      .last()
      .evaluate((node) =>
        (globalThis as unknown as PageWindow).getComputedStyle(node).getPropertyValue('opacity'),
      );
    return Number(opacity) < 0.6;
  }
}

interface PageWindow {
  getComputedStyle: (element: unknown) => { getPropertyValue: (name: string) => string };
}
