import type { FrameLocator, Locator } from 'playwright-core';
import { until } from '../../../support/ah.ts';
import type { Workbench } from './workbench.ts';

/** Page object of a recording's page. */
export class AhrPage {
  readonly workbench: Workbench;
  readonly frame: FrameLocator;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.frame = workbench.webview();
  }

  /** Opens a workspace file with Quick Open. */
  static async open(workbench: Workbench, fileName: string): Promise<AhrPage> {
    const { page } = workbench;
    await until(
      async () => {
        await page.keyboard.press('Control+P');
        // A closing widget ignores input.
        return page
          .locator('.quick-input-widget input[type="text"]')
          .first()
          .fill(fileName, { timeout: 3000 })
          .then(() => workbench.pick(fileName).click({ timeout: 3000 }))
          .then(
            () => true,
            () => page.keyboard.press('Escape').then(() => false),
          );
      },
      `the file ${fileName}`,
      30_000,
    );
    return new AhrPage(workbench);
  }

  /** Opens a file as a timeline first, then as a page. */
  static async reopen(workbench: Workbench, fileName: string): Promise<AhrPage> {
    const { frame } = await AhrPage.open(workbench, fileName);
    await frame.locator('.player, #lines').first().waitFor();
    await workbench.commandAndPick('View: Reopen Editor With...', 'Final Lines');
    return new AhrPage(workbench);
  }

  get lines(): Locator {
    return this.frame.locator('#lines');
  }

  /** The header above the lines. */
  headerText(): Promise<string> {
    return this.frame.locator('#header').innerText();
  }

  async headerShows(text: string): Promise<void> {
    await this.frame.locator('#header', { hasText: text }).waitFor({ timeout: 30_000 });
  }

  /** Waits for a rendered row that ends with this text. */
  async shows(text: string, timeoutMs = 30_000): Promise<void> {
    const shown = async () => (await this.rowTexts()).some((row) => row.endsWith(text));
    await until(shown, `the page to show "${text}"`, timeoutMs).catch(async (error: unknown) => {
      const rows = (await this.rowTexts()).slice(-20).join('\n');
      throw new Error(`It shows:\n${await this.headerText()}\n${rows}`, { cause: error });
    });
  }

  /** The rendered rows: `4 text` for lines, the label for moments. */
  async rowTexts(): Promise<string[]> {
    const rows = await this.frame.locator('.row').evaluateAll((elements) =>
      (elements as unknown as PageElement[]).map((row) =>
        [...row.children]
          .filter(({ className }) => className !== 'time')
          .map(({ textContent }) => textContent)
          .join(' ')
          .trimEnd(),
      ),
    );
    return rows;
  }

  /** The styled runs of a line, by text. */
  run(text: string): Locator {
    return this.frame.locator('.text span', { hasText: text }).first();
  }

  style(element: Locator, property: string): Promise<string> {
    return element.evaluate(
      (node, name) =>
        (globalThis as unknown as PageWindow).getComputedStyle(node).getPropertyValue(name),
      property,
    );
  }

  /** A theme color in the form of computed styles. */
  async themeColor(variable: string): Promise<string> {
    return this.frame.locator('body').evaluate((body, name) => {
      const { document, getComputedStyle } = globalThis as unknown as PageWindow;
      const probe = document.createElement('div');
      probe.style.color = `var(${name})`;
      (body as unknown as { append(child: unknown): void }).append(probe);
      const color = getComputedStyle(probe).getPropertyValue('color');
      probe.remove();
      return color;
    }, variable);
  }
}

/** The browser types used in the page; tests are compiled with Node's types. */
interface PageElement {
  readonly className: string;
  readonly textContent: string;
  readonly children: Iterable<PageElement>;
}

interface PageWindow {
  getComputedStyle: (element: unknown) => { getPropertyValue: (name: string) => string };
  readonly document: {
    createElement(name: string): { style: { color: string }; remove(): void };
  };
}
