import { statIfThere } from '../../common/folders.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

const USUAL_FOLDER_MODE = 0o755;

export interface CloneFilesContext {
  readonly ports: GitPorts;
  readonly store: ObjectStore;
  readonly storage: string;
}

/**
 * Writes the files of a snapshot into a folder.
 * @returns an index of these files, with their times in that folder
 */
export async function writeFiles(
  { ports, store, storage }: CloneFilesContext,
  tree: string,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const index = joinPath(storage, `tmp/clone-${ports.processes.own}-${name}`);
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: folder };
  try {
    // This command also writes the index: reading the files' times afterwards would take as long
    // again.
    await store.git(['read-tree', '-u', '--reset', tree], { cwd: folder, env, signal });
    return await ports.files.read(index);
  } finally {
    await Promise.all([index, `${index}.lock`].map((file) => ports.files.removeTree(file)));
  }
}

/** Lists the empty folders of a tree, which git does not create because it tracks only files. */
export async function emptyFoldersIn(
  { store }: CloneFilesContext,
  tree: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { oid } = await store.emptyFolder();
  const listed = await store.git(['ls-tree', '-r', '-d', '-z', tree], { signal });
  return pathsOf(listed.stdout).flatMap((line) => {
    // git prints `040000 tree <object>\t<path>`.
    const tab = line.indexOf('\t');
    return tab !== -1 && line.slice(0, tab).endsWith(oid) ? [line.slice(tab + 1)] : [];
  });
}

export async function makeEmptyFolders(
  { ports }: CloneFilesContext,
  workspace: string,
  folders: readonly string[],
): Promise<void> {
  for (const path of folders) {
    const names = path.split('/');
    // Create missing parents too.
    for (let count = 1; count <= names.length; count++) {
      const folder = joinPath(workspace, names.slice(0, count).join('/'));
      if ((await statIfThere(ports.files, folder)) !== undefined) continue;
      await ports.files.makeFolder(folder);
      await ports.files.setMode(folder, USUAL_FOLDER_MODE);
    }
  }
}
