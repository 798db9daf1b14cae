import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FilesInside } from '../../../platform/node/files/filesInside.ts';
import { pathFromBytes } from '../../common/pathBytes.ts';
import type { Files } from '../../common/ports.ts';
import type { SnapshotTree } from '../../common/provider.ts';

const EXECUTABLE_MODE = 0o755;
const FILE_MODE = 0o644;

/**
 * Writes a snapshot into a new folder. Follows no link that another program creates in it.
 * @param paths result of {@link allPaths}
 * @returns the paths that are not files: pipes, sockets and devices
 */
export async function exportTree(
  tree: SnapshotTree,
  paths: readonly string[],
  destination: string,
  onProgress: (part: number) => void,
): Promise<string[]> {
  const parent = dirname(destination);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const files = await FilesInside.open(parent);
  try {
    await files.makeFolder(destination);
    const special: string[] = [];
    for (const [index, each] of paths.entries()) {
      special.push(...(await exportPaths(tree, [each], destination, files)));
      onProgress((index + 1) / paths.length);
    }
    await exportEmptyFolders(tree, destination, files);
    return special;
  } finally {
    await files.close();
  }
}

/**
 * Writes files of a snapshot below `destination`; skips paths that are not in the snapshot.
 * @returns the paths that are not files: pipes, sockets and devices
 */
export async function exportPaths(
  tree: SnapshotTree,
  paths: readonly string[],
  destination: string,
  files: Files,
): Promise<string[]> {
  const special: string[] = [];
  for (const path of paths) {
    const found = await tree.stat(path).catch(() => undefined); // Not in the snapshot.
    if (!found || found.kind === 'folder') continue;
    if (found.kind === 'other') {
      special.push(path);
      continue;
    }
    const target = `${destination}/${path}`;
    await files.makeFolder(target.slice(0, target.lastIndexOf('/')));
    const mode = found.mode ?? (found.isExecutable ? EXECUTABLE_MODE : FILE_MODE);
    if (found.kind === 'symlink') await files.link(pathFromBytes(await tree.read(path)), target);
    else if (tree.folder !== undefined) await files.copy(`${tree.folder}/${path}`, target, mode);
    else await files.write(target, await tree.read(path), mode);
  }
  return special;
}

/** Creates the snapshot's folders that contain no files. */
async function exportEmptyFolders(
  tree: SnapshotTree,
  destination: string,
  files: Files,
  folder = '',
): Promise<void> {
  const entries = await tree.list(folder);
  if (entries.length === 0 && folder) await files.makeFolder(`${destination}/${folder}`);
  for (const { name, kind } of entries)
    if (kind === 'folder')
      await exportEmptyFolders(tree, destination, files, folder ? `${folder}/${name}` : name);
}

/** Yields the path of every file and link of a snapshot. */
export async function* allPaths(tree: SnapshotTree, folder = ''): AsyncGenerator<string> {
  for (const { name, kind } of await tree.list(folder)) {
    const path = folder ? `${folder}/${name}` : name;
    if (kind === 'folder') yield* allPaths(tree, path);
    else yield path;
  }
}
