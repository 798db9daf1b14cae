import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { COMMANDS } from './contributions.ts';
import { isRunning, sessionName, type Session } from './session.ts';
import { stateText } from './sessionItem.ts';
import type { SessionStore } from './sessionStore.ts';
import { belongsToWorkspace } from './workspaceKey.ts';

/** Says in the status bar what is being recorded in this workspace; hidden when nothing is. */
export class StatusItem implements Disposable {
  readonly #store: SessionStore;
  readonly #resources = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(store: SessionStore) {
    this.#store = store;
    this.#item = this.#resources.add(
      vscode.window.createStatusBarItem('ah.recording', vscode.StatusBarAlignment.Left, 1),
    );
    this.#item.name = vscode.l10n.t('Recorded Sessions');
    this.#resources.add(store.onDidChange(() => this.#update()));
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #update(): void {
    const sessions = this.#store.sessions.filter(
      (session) => isRunning(session) && belongsToWorkspace(session),
    );
    const [first] = sessions;
    if (!first) return this.#item.hide();
    const what =
      sessions.length === 1
        ? sessionName(first)
        : vscode.l10n.t('{0} sessions', String(sessions.length));
    this.#item.text = `$(record) ${what}`;
    this.#item.tooltip = tooltip(sessions);
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Recording {0}', what) };
    this.#item.command = {
      command: COMMANDS.openTimeline,
      title: vscode.l10n.t('Open Timeline'),
      ...(sessions.length === 1 && { arguments: [first] }),
    };
    this.#item.show();
  }
}

function tooltip(sessions: readonly Session[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendText(vscode.l10n.t('Being recorded:')).appendMarkdown('\n\n');
  for (const session of sessions) {
    text.appendMarkdown('- ').appendText(`${sessionName(session)}, ${stateText(session)}`);
    text.appendMarkdown('\n');
  }
  return text;
}
