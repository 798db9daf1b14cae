import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Page object of the view “Review”. */
export class ReviewPage {
  readonly #pane: Locator;

  constructor({ page }: Workbench) {
    const header = page.locator('.pane-header[aria-label^="Review"]');
    this.#pane = page.locator('.split-view-view .pane').filter({ has: header });
  }

  /** A row by the start of its text. */
  row(text: string): Locator {
    return this.#pane.locator(`.monaco-list-row`, { hasText: text }).first();
  }

  checkBox(text: string): Locator {
    return this.row(text).locator('.custom-view-tree-node-item-checkbox');
  }

  async shows(text: string): Promise<void> {
    await this.row(text).waitFor();
  }

  async message(): Promise<string> {
    return this.#pane.locator('.message').innerText();
  }

  async isHidden(): Promise<void> {
    await this.#pane.waitFor({ state: 'detached' });
  }
}
