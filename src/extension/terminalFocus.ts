import * as vscode from 'vscode';
import { Emitter } from '../base/emitter.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';

/**
 * Whether the person is in a terminal. The editor tells which terminal was last in use, and not whether it has the focus: a
 * person who moves in a text has left it.
 */
export class TerminalFocus implements Disposable {
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<void>());
  #isInText = false;

  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#resources.add(vscode.window.onDidChangeActiveTerminal(() => this.#be(false)));
    this.#resources.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        // A selection without a kind was made by a program.
        if (kind !== undefined) this.#be(true);
      }),
    );
  }

  /** The person typed into a terminal of ours. */
  typed(): void {
    if (this.#isInText) this.#be(false);
  }

  isIn(terminal: vscode.Terminal): boolean {
    return !this.#isInText && vscode.window.activeTerminal === terminal;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #be(isInText: boolean): void {
    this.#isInText = isInText;
    this.#changes.fire();
  }
}
