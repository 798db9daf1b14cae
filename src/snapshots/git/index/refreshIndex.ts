import { convertedPaths } from './conversions.ts';
import type { UserRepository } from '../worktree/repository.ts';
import { joinZero } from '../zeroSeparated.ts';

/** Of more, git is faster to look at all: it compares each path with each file. */
const MAX_LOOKED_AT = 500;

interface WorkingTree {
  readonly repository: UserRepository;
  readonly folder: string;
  readonly convertsLineEnds: boolean;
}

/**
 * An index has the times of other files; git looks at the contents once, here rather than at the user's first command.
 * @param doubtful files with other contents than the index says, of which git might say that they are the same; all when not known
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

/** To ask for their attributes takes a part of the time that looking at them does. */
async function convertible(
  { repository, folder, convertsLineEnds }: WorkingTree,
  doubtful: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const isAsked = !convertsLineEnds && doubtful && doubtful.length <= MAX_LOOKED_AT;
  if (!isAsked || doubtful.length === 0) return doubtful;
  return convertedPaths(repository, folder, doubtful, signal);
}
