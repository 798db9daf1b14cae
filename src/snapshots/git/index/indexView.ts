import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';

const encoder = new TextEncoder();

/** The folders that belong to an index. */
export interface IndexPlaces {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/**
 * Runs a task with an environment in which git reads the user's index without modifying anything.
 * Usually the environment is empty. But reading a split index updates the time of its shared file,
 * so git then reads a copy, as if that were another worktree.
 */
export async function withIndexView<T>(
  { files, scratch, processes }: GitPorts,
  { root, gitDir, commonDir }: IndexPlaces,
  task: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const names = (await files.list(gitDir)).map(({ name }) => name);
  const shared = names.filter((name) => name.startsWith('sharedindex.'));
  if (shared.length === 0) return task({});
  viewNumber += 1;
  const view = joinPath(scratch, `view-${processes.own}-${viewNumber}`);
  try {
    await files.makeFolder(view);
    await files.write(joinPath(view, 'commondir'), encoder.encode(`${commonDir}\n`));
    for (const name of ['HEAD', 'index', 'config.worktree', ...shared]) {
      if (!names.includes(name)) continue;
      await files.write(joinPath(view, name), await files.read(joinPath(gitDir, name)));
    }
    return await task({ GIT_DIR: view, GIT_WORK_TREE: root });
  } finally {
    await files.removeTree(view);
  }
}

let viewNumber = 0;
