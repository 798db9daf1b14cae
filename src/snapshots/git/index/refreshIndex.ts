import { convertedPaths } from './conversions.ts';
import type { UserRepository } from '../worktree/repository.ts';
import { joinZero } from '../../common/zeroSeparated.ts';

/**
 * With more paths, git is faster at refreshing everything: it matches each path against each entry.
 */
const MAX_LOOKED_AT = 500;

interface WorkingTree {
  readonly repository: UserRepository;
  readonly folder: string;
  readonly convertsLineEnds: boolean;
}

/**
 * Refreshes an index that has the times of other files, here rather than at the user's first
 * command.
 * @param doubtful files that differ from the index but may be equal for git; undefined for all
 * files
 */
export async function refreshIndex(
  tree: WorkingTree,
  doubtful: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { repository, folder } = tree;
  const paths = await convertible(tree, doubtful, signal);
  if (paths?.length === 0) return;
  if (paths && paths.length <= MAX_LOOKED_AT) {
    const args = ['add', '--refresh', '--pathspec-from-file=-', '--pathspec-file-nul'];
    await repository.run(args, { cwd: folder, input: joinZero(paths), signal });
  } else {
    await repository.run(['update-index', '-q', '--refresh'], { cwd: folder, signal });
  }
}

/** Selects the files that git converts; asking for attributes is faster than comparing. */
async function convertible(
  { repository, folder, convertsLineEnds }: WorkingTree,
  doubtful: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const isAsked = !convertsLineEnds && doubtful && doubtful.length <= MAX_LOOKED_AT;
  if (!isAsked || doubtful.length === 0) return doubtful;
  return convertedPaths(repository, folder, doubtful, signal);
}
