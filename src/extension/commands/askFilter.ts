import * as vscode from 'vscode';
import type { SessionsView } from '../sessions/sessionsView.ts';

/** Narrows the list of sessions to those that a few words describe. */
export async function askFilter(view: SessionsView): Promise<void> {
  const filter = await vscode.window.showInputBox({
    title: vscode.l10n.t('Filter Sessions'),
    prompt: vscode.l10n.t('Words in the name, the command or the folder; nothing shows all.'),
    value: view.filter,
  });
  if (filter !== undefined) view.setFilter(filter);
}
