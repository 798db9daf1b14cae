import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { relativeTo } from '../snapshots/common/posixPath.ts';

/** Whether the folder is open in this window. */
export function isOpenHere(folder: string): boolean {
  const real = realPathOf(folder);
  return rootsHere().some((root) => realPathOf(root) === real);
}

/**
 * The path by which this window shows a folder: its own folder may be a link, while sessions store
 * real paths. Returns the given path if the folder is not in this window.
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
