import * as vscode from 'vscode';
import type { Session } from './sessions/session.ts';

/**
 * Names the workspace of this window, the same in every window and after every restart. The editor's own storage folder
 * cannot: in a browser its path changes with the server's address.
 */
export function workspaceKey(): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (workspaceFile) return workspaceFile.path;
  return workspaceFolders.map(({ uri }) => uri.path).join('\n');
}

/** Whether a window of this workspace shows a session, or did when it went away. */
export function isShownHere({ notes }: Session): boolean {
  return notes.shownIn?.includes(workspaceKey()) === true;
}

/**
 * Whether a session was recorded in this window's workspace, or in a folder of it, or is shown here; with nothing open, all
 * belong.
 */
export function belongsToWorkspace(session: Session): boolean {
  const { meta, notes } = session;
  const { workspaceFolders } = vscode.workspace;
  if (!workspaceFolders?.length || notes.workspace === workspaceKey()) return true;
  if (isShownHere(session)) return true;
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(meta.cwd)) !== undefined;
}
