import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

/**
 * Whether the person is in a terminal. The editor tells which terminal was last in use, and not whether it has the focus: a
 * person who moves in a text, or brings another tab to the front, has left it.
 */
export class TerminalFocus implements Disposable {
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<void>());
  #isElsewhere = false;
  #front = frontTab();

  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#resources.add(vscode.window.onDidChangeActiveTerminal(() => this.#be(false)));
    this.#resources.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        // A selection without a kind was made by a program.
        if (kind !== undefined) this.#be(true);
      }),
    );
    this.#resources.add(
      vscode.window.tabGroups.onDidChangeTabs(() => {
        const tab = frontTab();
        // The same tab with another name, or unsaved, is no move.
        if (tab === this.#front) return;
        this.#front = tab;
        if (tab) this.#be(!(tab.input instanceof vscode.TabInputTerminal));
      }),
    );
  }

  /** The person typed into a terminal of ours, or was taken there. */
  entered(): void {
    if (this.#isElsewhere) this.#be(false);
  }

  isIn(terminal: vscode.Terminal): boolean {
    return !this.#isElsewhere && vscode.window.activeTerminal === terminal;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #be(isElsewhere: boolean): void {
    this.#isElsewhere = isElsewhere;
    this.#changes.fire();
  }
}

function frontTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab;
}
