import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { relativeTo } from '../snapshots/common/posixPath.ts';

/** Whether this window has the folder. */
export function isOpenHere(folder: string): boolean {
  const real = realPathOf(folder);
  return rootsHere().some((root) => realPathOf(root) === real);
}

/**
 * The path by which this window shows a folder: a folder of the window may be a link, and sessions
 * know real paths. The folder itself if the window does not have it.
 */
export function folderHere(folder: string): string {
  const roots = rootsHere();
  if (roots.some((root) => relativeTo(root, folder) !== undefined)) return folder;
  const real = realPathOf(folder);
  for (const root of roots) {
    const below = relativeTo(realPathOf(root), real);
    if (below !== undefined) return path.join(root, below);
  }
  return folder;
}

function rootsHere(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // The folder may have been deleted.
    return folder;
  }
}
