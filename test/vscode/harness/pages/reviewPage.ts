import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Page object of the view “Review”. */
export class ReviewPage {
  readonly #bar: Locator;

  constructor({ page }: Workbench) {
    // VS Code keeps hidden view containers in the page; the review has its own container.
    const view = page.locator('[id="workbench.view.extension.ah-review"] >> visible=true');
    this.#bar = page.locator('.part.sidebar').filter({ has: view });
  }

  /** A row by the start of its text. */
  row(text: string): Locator {
    return this.#bar.locator(`.monaco-list-row`, { hasText: text }).first();
  }

  checkBox(text: string): Locator {
    return this.row(text).locator('.custom-view-tree-node-item-checkbox');
  }

  /** A button in the title. */
  button(name: string): Locator {
    return this.#bar.locator(`.title-actions .action-label[aria-label="${name}"]`);
  }

  /** How many check boxes are wholly in sight. */
  async visibleCheckBoxes(): Promise<number> {
    const list = await this.#bar.locator('.monaco-list').boundingBox();
    const boxes = await this.#bar.locator('.custom-view-tree-node-item-checkbox').all();
    const places = await Promise.all(boxes.map((box) => box.boundingBox()));
    const [top, bottom] = [list!.y, list!.y + list!.height];
    return places.filter((place) => place && place.y >= top && place.y + place.height <= bottom)
      .length;
  }

  async scrollToEnd(): Promise<void> {
    await this.row('Apply').focus();
    await this.#bar.page().keyboard.press('End');
  }

  async shows(text: string): Promise<void> {
    await this.row(text).waitFor();
  }

  async message(): Promise<string> {
    return this.#bar.locator('.message').innerText();
  }

  async isHidden(): Promise<void> {
    await this.#bar.waitFor({ state: 'detached' });
  }
}
