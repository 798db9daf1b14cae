import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

/** In a session's folder: links to snapshots that are folders, named like the windows. */
const LINKS = 'snapshot-folders';

/** Links to a snapshot that is a folder on disk (Btrfs, ZFS), because its own name says nothing. */
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
