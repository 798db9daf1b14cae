import path from 'node:path';
import { pathFromBytes, pathToBytes } from '../../common/pathBytes.ts';
import { storageKey } from '../../volume/storageKey.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import { gitStorage, snapshotsFolder } from './providerDetectors.ts';

/**
 * A folder with one note per workspace: snapshots may outlive the sessions that name the workspace.
 */
function notesFolder(): string {
  return path.join(snapshotsFolder(), 'workspaces');
}

function noteOf(workspace: string): string {
  return path.join(notesFolder(), storageKey(workspace));
}

/** @param workspace a path without symbolic links */
export async function noteWorkspace(workspace: string): Promise<void> {
  const file = noteOf(workspace);
  try {
    if (await nodeFiles.canRead(file)) return;
    await nodeFiles.makeFolder(notesFolder());
    await nodeFiles.write(file, pathToBytes(workspace));
  } catch {
    // The disk may be full, for example. Snapshots can be read, and the next caller writes the
    // note.
  }
}

export async function notedWorkspaces(): Promise<string[]> {
  // There is no folder before the first snapshot.
  const notes = await nodeFiles.list(notesFolder()).catch(() => []);
  const workspaces: string[] = [];
  for (const { name, kind } of notes) {
    if (kind !== 'file') continue;
    // Another process may have deleted the note.
    const bytes = await nodeFiles.read(path.join(notesFolder(), name)).catch(() => undefined);
    const workspace = bytes === undefined ? '' : pathFromBytes(bytes);
    // Otherwise the note is damaged or still being written.
    if (storageKey(workspace) === name) workspaces.push(workspace);
  }
  return workspaces;
}

/** Deletes the storage and the note of a workspace that is gone and has no snapshots left. */
export async function forgetWorkspace(workspace: string): Promise<void> {
  await nodeFiles.removeTree(gitStorage(workspace));
  await nodeFiles.removeTree(noteOf(workspace));
}
