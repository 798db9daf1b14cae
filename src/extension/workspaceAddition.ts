import * as vscode from 'vscode';

/**
 * Tells what adding a folder does: VS Code turns a window with one folder into an untitled
 * workspace.
 */
export function additionText(name: string): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (workspaceFile || workspaceFolders.length > 1)
    return vscode.l10n.t('Adds the files of “{0}” as another folder of this window', name);
  return vscode.l10n.t(
    'Adds the files of “{0}” as another folder: VS Code turns this window into an untitled workspace and restarts its extensions',
    name,
  );
}
