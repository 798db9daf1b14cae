import * as vscode from 'vscode';
import type { Session } from './sessions/session.ts';
import { parseSnapshotUri, SNAPSHOT_SCHEME } from './snapshots/snapshotUri.ts';

/**
 * Identifies the workspace across windows and restarts. The path of VS Code's storage folder can't:
 * in a browser it changes with the server's address.
 */
export function workspaceKey(): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (workspaceFile) return workspaceFile.path;
  return workspaceFolders.map(({ uri }) => folderKey(uri)).join('\n');
}

/**
 * Includes scheme and session for snapshots: a snapshot can have the path of its workspace, but its
 * window must not show the workspace's running sessions.
 */
function folderKey(uri: vscode.Uri): string {
  return uri.scheme === SNAPSHOT_SCHEME ? uri.toString() : uri.path;
}

/** Whether a window of this workspace shows a session, or showed it when it closed. */
export function isShownHere({ notes }: Session): boolean {
  return notes.shownIn?.includes(workspaceKey()) === true;
}

/**
 * Whether a session was recorded in this workspace or one of its folders, or is shown in this
 * workspace, or has a snapshot that is open here. In a window without a folder, all sessions
 * belong.
 */
export function belongsToWorkspace(session: Session): boolean {
  const { meta, notes } = session;
  const { workspaceFolders } = vscode.workspace;
  if (!workspaceFolders?.length || notes.workspace === workspaceKey()) return true;
  if (isShownHere(session)) return true;
  if (workspaceFolders.some(({ uri }) => parseSnapshotUri(uri)?.sessionId === meta.id)) return true;
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(meta.cwd)) !== undefined;
}
