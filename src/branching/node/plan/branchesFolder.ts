import { readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { STORE_NAME } from '../../../snapshots/btrfs/store.ts';

/**
 * Removes the folder that contains all branches of a workspace, after its last branch was removed.
 */
export async function removeBranchesFolder(destination: string): Promise<void> {
  const folder = path.dirname(destination);
  if (folder.endsWith('.branches') && (await hasOnlyOurs(folder))) await removeEmpty(folder);
}

/** Whether the folder is empty, except for the store of the branches' Btrfs snapshots. */
async function hasOnlyOurs(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => ['']); // Unreadable: the folder stays.
  return names.every((name) => name === STORE_NAME);
}

/** Removes a folder with its subfolders if they contain no files; others stay. */
async function removeEmpty(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmpty(path.join(folder, entry.name));
  }
  await rmdir(folder).catch(() => undefined); // The folder is not empty.
}
