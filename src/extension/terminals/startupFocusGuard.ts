import * as vscode from 'vscode';

/** By then VS Code has restored its own terminals, even on a slow machine. */
const LOADING_MS = 15_000;

/**
 * Keeps a terminal in front while its window loads: VS Code restores older terminals or opens a
 * shell, and shows the last one.
 */
export class StartupFocusGuard {
  readonly #terminal: vscode.Terminal;
  /** Terminals that the guard has seen. VS Code brings up each one once; later, the user does. */
  readonly #known: Set<vscode.Terminal>;
  readonly #endMs = Date.now() + LOADING_MS;

  constructor(terminal: vscode.Terminal) {
    this.#terminal = terminal;
    this.#known = new Set(vscode.window.terminals);
    terminal.show(true);
  }

  /**
   * @returns whether VS Code brought `inFront` up by itself, and the guarded terminal is shown
   * again
   */
  overrides(inFront: vscode.Terminal): boolean {
    if (inFront === this.#terminal || this.#known.has(inFront)) return false;
    if (Date.now() > this.#endMs || this.#terminal.exitStatus) return false;
    this.#known.add(inFront);
    this.#terminal.show(true);
    return true;
  }
}
