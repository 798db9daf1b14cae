import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

/** Key in the state of the workspace for the columns of terminals, by session ID. */
const COLUMNS_KEY = 'terminalColumns';
/** Limits the stored columns; one window rarely has more terminals. */
const MAX_COLUMNS = 50;

/** A terminal that shows a session. */
export interface PlacedTerminal {
  readonly id: string;
  readonly title: string;
  /** Whether VS Code reports it as the active terminal. */
  readonly isActive: boolean;
}

/**
 * Remembers in which column of the editor area each session's terminal is: VS Code restores the
 * columns after a reload, but not the terminals in them.
 */
export class TerminalColumns implements Disposable {
  readonly #memento: vscode.Memento;
  readonly #terminals: () => readonly PlacedTerminal[];
  readonly #resources = new DisposableStore();
  readonly #columns: Map<string, vscode.ViewColumn>;

  /** @param terminals the terminals of this window */
  constructor(memento: vscode.Memento, terminals: () => readonly PlacedTerminal[]) {
    this.#memento = memento;
    this.#terminals = terminals;
    this.#columns = storedColumns(memento.get(COLUMNS_KEY));
    const { tabGroups } = vscode.window;
    this.#resources.add(tabGroups.onDidChangeTabs(() => this.#remember()));
    this.#resources.add(tabGroups.onDidChangeTabGroups(() => this.#remember()));
    this.#resources.add(vscode.window.onDidChangeActiveTerminal(() => this.#remember()));
  }

  /** The last column of a session's terminal; undefined if unknown or no longer there. */
  columnOf(id: string): vscode.ViewColumn | undefined {
    const column = this.#columns.get(id);
    const isThere = vscode.window.tabGroups.all.some(({ viewColumn }) => viewColumn === column);
    return isThere ? column : undefined;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #remember(): void {
    let hasChanged = false;
    for (const terminal of this.#terminals()) {
      const { id } = terminal;
      const column = presentColumn(terminal);
      if (column === undefined || column === this.#columns.get(id)) continue;
      this.#columns.delete(id); // The latest change comes last.
      this.#columns.set(id, column);
      hasChanged = true;
    }
    if (hasChanged) void this.#memento.update(COLUMNS_KEY, [...this.#columns].slice(-MAX_COLUMNS));
  }
}

/**
 * The column of a terminal's tab. A tab does not tell which terminal it shows: if several columns
 * have tabs with this title, only that of the active terminal is known.
 */
function presentColumn({ title, isActive }: PlacedTerminal): vscode.ViewColumn | undefined {
  const isHere = (tab: vscode.Tab) =>
    tab.input instanceof vscode.TabInputTerminal && tab.label === title;
  const groups = vscode.window.tabGroups.all.filter(({ tabs }) => tabs.some(isHere));
  if (groups.length === 1) return groups[0]?.viewColumn;
  const { activeTab, viewColumn } = vscode.window.tabGroups.activeTabGroup;
  return isActive && activeTab && isHere(activeTab) ? viewColumn : undefined;
}

/** Checks what another version of the extension may have stored. */
function storedColumns(stored: unknown): Map<string, vscode.ViewColumn> {
  const entries = Array.isArray(stored) ? (stored as unknown[]) : [];
  return new Map(entries.filter(isEntry));
}

function isEntry(value: unknown): value is [string, vscode.ViewColumn] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, column] = value as unknown[];
  return typeof id === 'string' && typeof column === 'number';
}
