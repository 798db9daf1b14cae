import { statIfThere } from '../../common/folders.ts';
import { joinPath } from '../../common/posixPath.ts';
import { inParallel } from '../../common/inParallel.ts';
import type { CloneFilesContext } from './cloneFiles.ts';
import { listModes, usualMode, type KeptModes, type SeenMode } from '../modes/modeTree.ts';
import { MODE_EXECUTABLE, MODE_LINK } from '../objects/treeFormat.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

/** The number of files that Node works on at once. */
const WRITE_CONCURRENCY = 4;

/** Restores the permissions of files and folders that git has just written. */
export async function setModes(
  context: CloneFilesContext,
  modes: KeptModes | undefined,
  tree: string,
  workspace: string,
): Promise<void> {
  if (!modes) return;
  const { files, umask } = context.ports;
  const unusual = modes.tree === undefined ? [] : await listModes(context.store, modes.tree);
  // Default permissions depend on the umask when the snapshot was taken, which may differ now.
  const usual = umask === modes.umask ? [] : await allUsual(context, tree, modes.umask);
  await inParallel(
    [...new Map([...usual, ...unusual])],
    WRITE_CONCURRENCY,
    async ([path, wanted]) => {
      const file = joinPath(workspace, path);
      const found = await statIfThere(files, file);
      // Skip links, and paths that the snapshot does not have.
      if (found === undefined || found.kind !== wanted.kind || found.mode === wanted.mode) return;
      await files.setMode(file, wanted.mode);
    },
  );
}

async function allUsual(
  { store }: CloneFilesContext,
  tree: string,
  umask: number,
): Promise<[string, SeenMode][]> {
  const { stdout } = await store.git(['ls-tree', '-r', '-t', '-z', tree]);
  return pathsOf(stdout)
    .filter((line) => !line.startsWith(`${MODE_LINK} `))
    .map((line) => {
      const kind = line.startsWith('040000 ') ? 'folder' : 'file';
      const mode = usualMode(kind, line.startsWith(`${MODE_EXECUTABLE} `), umask);
      return [line.slice(line.indexOf('\t') + 1), { kind, mode }];
    });
}
