import * as vscode from 'vscode';

/** A window that loads is done with its own terminals by then, on a slow machine too. */
const LOADING_MS = 15_000;

/**
 * Keeps a terminal in front while its window loads: the editor opens a shell for want of a terminal to show, or brings older
 * ones back, and whichever comes last is in front.
 */
export class StartupFocusGuard {
  readonly #terminal: vscode.Terminal;
  /** The ones that stay in front when they come there: those that were there before, and each after its first time. */
  readonly #known: Set<vscode.Terminal>;
  readonly #endMs = Date.now() + LOADING_MS;

  constructor(terminal: vscode.Terminal) {
    this.#terminal = terminal;
    this.#known = new Set(vscode.window.terminals);
    terminal.show(true);
  }

  /** @returns whether the terminal that is in front now came up by itself, and was put behind again */
  putsBehind(inFront: vscode.Terminal): boolean {
    if (inFront === this.#terminal || this.#known.has(inFront)) return false;
    if (Date.now() > this.#endMs || this.#terminal.exitStatus) return false;
    this.#known.add(inFront);
    this.#terminal.show(true);
    return true;
  }
}
