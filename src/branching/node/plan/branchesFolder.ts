import { readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { STORE_NAME } from '../../../snapshots/btrfs/store.ts';

/** The folder of all branches of a workspace goes with the last of them. */
export async function removeBranchesFolder(destination: string): Promise<void> {
  const folder = path.dirname(destination);
  if (folder.endsWith('.branches') && (await hasOnlyOurs(folder))) await removeEmpty(folder);
}

/** Where Btrfs keeps the snapshots of the branches. */
async function hasOnlyOurs(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => ['']);
  return names.every((name) => name === STORE_NAME);
}

/** Folders without a file in them; the others stay. */
async function removeEmpty(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmpty(path.join(folder, entry.name));
  }
  await rmdir(folder).catch(() => undefined);
}
