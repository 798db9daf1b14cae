import * as vscode from 'vscode';

/** The title of a tab. Starts with the name, because VS Code cuts long titles at their end. */
export function timelineTitle(name: string): string {
  return vscode.l10n.t('{0} · Timeline', name);
}
