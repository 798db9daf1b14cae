import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

/**
 * Whether a terminal has the focus. VS Code reports only the last used terminal, so moving in a
 * text or switching tabs counts as leaving it.
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
        // Selections without a kind were not made by the user.
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

  /** The user typed into one of our terminals, or a command focused it. */
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
