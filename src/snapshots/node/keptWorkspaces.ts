import path from 'node:path';
import { pathFromBytes, pathToBytes } from '../common/pathBytes.ts';
import { workspaceKey } from '../volume/workspaceKey.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import { gitStorage, snapshotsFolder } from './snapshotDetectors.ts';

/** One small file for each folder that snapshots were taken of: which it is. Sessions that say so may be gone before them. */
function notesFolder(): string {
  return path.join(snapshotsFolder(), 'workspaces');
}

function noteOf(workspace: string): string {
  return path.join(notesFolder(), workspaceKey(workspace));
}

/** @param workspace with no symbolic link in it */
export async function noteWorkspace(workspace: string): Promise<void> {
  const file = noteOf(workspace);
  try {
    if (await nodeFiles.canRead(file)) return;
    await nodeFiles.makeFolder(notesFolder());
    await nodeFiles.write(file, pathToBytes(workspace));
  } catch {
    // A full disk, say. What is kept can still be read, and the next who comes notes it.
  }
}

export async function notedWorkspaces(): Promise<string[]> {
  const notes = await nodeFiles.list(notesFolder()).catch(() => []);
  const workspaces: string[] = [];
  for (const { name, kind } of notes) {
    if (kind !== 'file') continue;
    const bytes = await nodeFiles.read(path.join(notesFolder(), name)).catch(() => undefined);
    const workspace = bytes === undefined ? '' : pathFromBytes(bytes);
    // Anything else is damaged, or being written.
    if (workspaceKey(workspace) === name) workspaces.push(workspace);
  }
  return workspaces;
}

/** For a folder that is gone, with all its snapshots: nothing of it is left. */
export async function forgetWorkspace(workspace: string): Promise<void> {
  await nodeFiles.removeTree(gitStorage(workspace));
  await nodeFiles.removeTree(noteOf(workspace));
}
