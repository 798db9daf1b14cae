import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Folder in a session's folder with links to snapshots on disk; each link is named like the window.
 */
const LINKS = 'snapshot-folders';

/**
 * Creates a link to a snapshot that is a folder on disk (Btrfs, ZFS), because a window would show
 * that folder's own name, which tells the user nothing.
 */
export async function titledLink(
  sessionFolder: string,
  snapshotId: bigint,
  { folder, title }: { readonly folder: string; readonly title: string },
): Promise<string> {
  const link = path.join(sessionFolder, LINKS, String(snapshotId), title);
  await mkdir(path.dirname(link), { recursive: true, mode: 0o700 });
  await rm(link, { force: true });
  await symlink(folder, link);
  return link;
}
