import * as vscode from 'vscode';
import type { SessionsView } from './sessionsView.ts';

/** Handles `AH: Filter Sessions…`. */
export async function askFilter(view: SessionsView): Promise<void> {
  const filter = await vscode.window.showInputBox({
    title: vscode.l10n.t('Filter Sessions'),
    prompt: vscode.l10n.t('Words in the name, command or folder; leave empty to show all sessions'),
    value: view.filter,
  });
  if (filter !== undefined) view.setFilter(filter);
}
