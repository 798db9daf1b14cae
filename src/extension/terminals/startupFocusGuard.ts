import * as vscode from 'vscode';

/** After this time VS Code has restored its own terminals, even on a slow machine. */
const LOADING_MS = 15_000;

/**
 * Keeps a terminal in front while its window loads. Meanwhile VS Code restores older terminals or
 * opens a shell, and would show the last of them.
 */
export class StartupFocusGuard {
  readonly #terminal: vscode.Terminal;
  /**
   * Terminals that came to the front before. VS Code brings each terminal to the front only once;
   * if that happens again, the user did it.
   */
  readonly #known: Set<vscode.Terminal>;
  readonly #endMs = Date.now() + LOADING_MS;

  constructor(terminal: vscode.Terminal) {
    this.#terminal = terminal;
    this.#known = new Set(vscode.window.terminals);
    terminal.show(true);
  }

  /**
   * Shows the guarded terminal again if VS Code brought `inFront` to the front by itself.
   * @returns whether it did
   */
  overrides(inFront: vscode.Terminal): boolean {
    if (inFront === this.#terminal || this.#known.has(inFront)) return false;
    if (Date.now() > this.#endMs || this.#terminal.exitStatus) return false;
    this.#known.add(inFront);
    this.#terminal.show(true);
    return true;
  }
}
