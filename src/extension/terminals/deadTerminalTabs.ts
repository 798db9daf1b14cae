import * as vscode from 'vscode';
import { reportFailure } from '../commandRegistry.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

/** The scheme of the addresses that VS Code gives to terminals in tabs. */
const SCHEME = 'vscode-terminal';
/** VS Code's ID of the editor that shows terminals. */
const TERMINAL_EDITOR = 'terminalEditor';

interface DeadTab extends vscode.Tab {
  readonly input: vscode.TabInputText;
}

/**
 * Replaces tabs that fail to show a terminal. VS Code registers its editor for terminals only after
 * it has restored all tabs or waited 2 s for them. Until then it opens the address of a new
 * terminal as a text file, which fails with "The editor could not be opened".
 */
export class DeadTerminalTabs implements Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #resources = new DisposableStore();
  /** The labels of dead tabs before VS Code has registered its editor, by address. */
  readonly #labels = new Map<string, string>();

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
    this.#resources.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
        for (const { input, label } of opened.filter(isDead)) {
          this.#labels.set(input.uri.toString(), label);
        }
        for (const tab of changed.filter(isDead)) this.#replaceIfPossible(tab);
      }),
    );
  }

  /** Closes the dead tabs that VS Code restored: their terminals were in an earlier window. */
  async closeRestored(): Promise<void> {
    await vscode.window.tabGroups.close(deadTabs(), true);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  /** VS Code changes the labels of these tabs when it registers its editor for terminals. */
  #replaceIfPossible(tab: DeadTab): void {
    const address = tab.input.uri.toString();
    const label = this.#labels.get(address);
    if (label === undefined || label === tab.label) return;
    this.#labels.delete(address);
    const task = vscode.l10n.t('Showing the terminal again');
    void reportFailure(task, this.#log, () => replace(tab));
  }
}

async function replace({ input: { uri }, group, isActive }: DeadTab): Promise<void> {
  const preserveFocus = !(group.isActive && isActive);
  const options = { viewColumn: group.viewColumn, preserveFocus };
  await vscode.commands.executeCommand('vscode.openWith', uri, TERMINAL_EDITOR, options);
  const dead = deadTabs().filter(({ input }) => input.uri.toString() === uri.toString());
  await vscode.window.tabGroups.close(dead, true);
}

function deadTabs(): DeadTab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isDead));
}

function isDead(tab: vscode.Tab): tab is DeadTab {
  return tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === SCHEME;
}
