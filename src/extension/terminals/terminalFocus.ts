import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

/**
 * Tells whether a terminal has the focus. VS Code reports only which terminal was used last, so
 * moving the cursor in a text editor or switching tabs counts as leaving the terminal.
 */
export class TerminalFocus implements Disposable {
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<void>());
  #isElsewhere = false;
  #front = frontTab();

  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#resources.add(vscode.window.onDidChangeActiveTerminal(() => this.#setElsewhere(false)));
    this.#resources.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        // A selection without a kind was not made by the user.
        if (kind !== undefined) this.#setElsewhere(true);
      }),
    );
    this.#resources.add(
      vscode.window.tabGroups.onDidChangeTabs(() => {
        const tab = frontTab();
        // Ignore changes of the same tab, such as its title.
        if (tab === this.#front) return;
        this.#front = tab;
        if (tab) this.#setElsewhere(!(tab.input instanceof vscode.TabInputTerminal));
      }),
    );
  }

  /** Call when the user typed into one of our terminals, or a command focused it. */
  entered(): void {
    if (this.#isElsewhere) this.#setElsewhere(false);
  }

  isIn(terminal: vscode.Terminal): boolean {
    return !this.#isElsewhere && vscode.window.activeTerminal === terminal;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #setElsewhere(isElsewhere: boolean): void {
    this.#isElsewhere = isElsewhere;
    this.#changes.fire();
  }
}

function frontTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab;
}
