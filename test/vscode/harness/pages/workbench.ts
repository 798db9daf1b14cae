import type { Locator, Page } from 'playwright-core';
import { until } from '../../../support/ah.ts';

/** Page object of a VS Code window. */
export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async ready(): Promise<void> {
    const icon = this.page.locator('.activitybar .action-label[aria-label^="AH Time Travel"]');
    await icon.waitFor({ timeout: 60_000 });
  }

  /** Shows the extension's views. A click on their icon could hide them instead. */
  async showViews(): Promise<void> {
    await this.command('View: Show AH Time Travel');
  }

  /** Waits until the window has saved state that matches, which VS Code does in idle time. */
  async hasKept(pattern: RegExp): Promise<void> {
    const isKept = async () => pattern.test(await this.page.evaluate<string>(KEPT_STATE));
    await until(isKept, `${pattern} to be kept`, 60_000);
  }

  /** Runs a command by its title in the Command Palette; the title's `…` may be left out. */
  async command(title: string): Promise<void> {
    const list = '.quick-input-list .monaco-list-row';
    const row = this.page
      .locator(
        [title, `${title}…`]
          .map((each) => `${list}[aria-label="${each}"], ${list}[aria-label^="${each}, "]`)
          .join(', '),
      )
      .first();
    await until(
      async () => {
        await this.page.keyboard.press('F1');
        // Retries: a loading window does not open the palette, an early palette lacks our commands,
        // and an animation may close it.
        return (
          this.#quickInput()
            .fill(`>${title}`, { timeout: 3000 })
            .then(() => row.waitFor({ timeout: 2000 }))
            // No short timeout: an aborted click may have worked, and a retry would run the command
            // twice.
            .then(() => row.click({ timeout: 15_000 }))
            .then(
              () => true,
              () => this.page.keyboard.press('Escape').then(() => false),
            )
        );
      },
      `the command ${title}`,
      60_000,
    );
  }

  /**
   * Runs a command and chooses an entry. Retries, because closing the palette may move the focus
   * and close the picker.
   */
  async commandAndPick(title: string, label: string): Promise<void> {
    await until(
      async () => {
        await this.command(title);
        return this.#choose(label).then(
          () => true,
          () => this.page.keyboard.press('Escape').then(() => false),
        );
      },
      `"${label}" of ${title}`,
      60_000,
    );
  }

  /** By keyboard: while a picker opens, its rows move away from under the pointer. */
  async #choose(label: string): Promise<void> {
    await this.pick(label).waitFor({ timeout: 15_000 });
    const focused = this.page.locator('.quick-input-list .monaco-list-row.focused');
    const isFocused = async () => {
      if ((await focused.innerText()).includes(label)) return true;
      await this.page.keyboard.press('ArrowDown');
      return false;
    };
    await until(isFocused, `the focus on ${label}`, 15_000);
    await this.page.keyboard.press('Enter');
  }

  /** An entry of the open picker. */
  pick(label: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first();
  }

  /** Chooses an entry of the open context menu. */
  async chooseFromMenu(entry: string): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item', { hasText: entry }).first();
    await item.waitFor();
    await until(
      async () => {
        // A menu ignores clicks right after opening.
        await item.click({ timeout: 2000 }).catch(() => undefined);
        return !(await item.isVisible());
      },
      `the menu to take ${entry}`,
      20_000,
    );
  }

  async pickLabels(): Promise<string[]> {
    return this.page.locator('.quick-input-list .monaco-list-row .label-name').allInnerTexts();
  }

  /** Answers the open input box. */
  async answer(text: string): Promise<void> {
    await this.#quickInput().fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Answers the file dialog. It writes its suggestion late, over typed text, so this retries. */
  async answerFile(file: string): Promise<void> {
    const input = this.#quickInput();
    let unchangedFor = 0;
    const isTyped = async () => {
      unchangedFor = (await input.inputValue()) === file ? unchangedFor + 1 : 0;
      if (unchangedFor === 0) await input.fill(file);
      return unchangedFor === 20;
    };
    const hasProposed = async () => (await input.inputValue()).startsWith('/');
    await until(hasProposed, 'the dialog to propose a file', 30_000);
    await until(isTyped, 'the dialog to leave what was typed', 30_000);
    await this.page.keyboard.press('Enter');
  }

  /** A file or folder in the explorer. */
  explorerRow(name: string): Locator {
    return this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  }

  /** Expands a section of the side bar. */
  async expandPane(title: string): Promise<void> {
    const header = this.page.locator('.pane-header', { hasText: title });
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  }

  notification(text: string): Locator {
    return this.page
      .locator('.notifications-toasts .notification-list-item', { hasText: text })
      .first();
  }

  /** The screen of the visible terminal, without scrollback. */
  async terminalText(): Promise<string> {
    const rows = this.page.locator('.terminal-wrapper.active .xterm-rows > div');
    const lines = await rows.allTextContents();
    return lines.map((line) => line.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
  }

  async terminalShows(text: string, timeoutMs = 30_000): Promise<void> {
    await until(
      async () => (await this.terminalText()).includes(text),
      `the terminal to show "${text}"`,
      timeoutMs,
    ).catch(async (error: unknown) => {
      throw new Error(`It shows:\n${await this.terminalText()}`, { cause: error });
    });
  }

  /** Waits until the visible terminal has the focus. */
  async terminalHasFocus(): Promise<void> {
    const isIn = "!!document.activeElement?.closest('.terminal-wrapper.active')";
    await until(() => this.page.evaluate<boolean>(isIn), 'the focus in the terminal');
  }

  /** Types into the visible terminal. */
  async type(text: string): Promise<void> {
    const input = this.page.locator('.terminal-wrapper.active .xterm-helper-textarea');
    await input.first().focus(); // VS Code may nest terminals.
    await this.page.keyboard.type(text);
  }

  /** The text of the visible terminal, with scrollback. */
  async terminalBuffer(): Promise<string> {
    await this.page.evaluate("navigator.clipboard.writeText('')");
    await this.command('Terminal: Select All');
    await this.command('Terminal: Copy Selection');
    let text = '';
    await until(async () => {
      text = await this.page.evaluate<string>('navigator.clipboard.readText()');
      return text !== '';
    }, 'the copied terminal text');
    return text;
  }

  /** The terminals' tabs; VS Code lists them from two on. */
  terminalTabs(): Locator {
    return this.page.locator('.monaco-list-row .terminal-tabs-entry');
  }

  /** The document inside the only visible webview. */
  webview() {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  #quickInput(): Locator {
    return this.page.locator('.quick-input-widget input[type="text"]').first();
  }
}

/** Runs in the page: all state that the workbench saved in the browser. */
const KEPT_STATE = `(async () => {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const kept = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      kept.push(...(await done(database.transaction(store).objectStore(store).getAll())));
    }
    database.close();
  }
  return kept.filter((value) => typeof value === 'string').join('\\n');
})()`;
