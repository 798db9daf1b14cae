import { convertedPaths } from './conversions.ts';
import { ownPrograms, withoutPrograms } from '../repositoryPrograms.ts';
import type { UserRepository } from '../worktree/repository.ts';
import { joinZero } from '../../common/zeroSeparated.ts';

/**
 * With more paths, refreshing the whole index is faster: git compares each path with each entry.
 */
const MAX_LOOKED_AT = 500;

interface WorkingTree {
  readonly repository: UserRepository;
  readonly folder: string;
  readonly convertsLineEnds: boolean;
}

/**
 * Refreshes an index whose file times are those of another folder, so that the user's first git
 * command need not do it.
 * @param doubtful files whose bytes differ from the index although git may consider them equal;
 * undefined: all files
 */
export async function refreshIndex(
  tree: WorkingTree,
  doubtful: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { repository, folder } = tree;
  const paths = await convertible(tree, doubtful, signal);
  if (paths?.length === 0) return;
  const programs = await ownPrograms((...run) => repository.run(...run), folder, signal);
  const harmless = withoutPrograms(programs);
  if (paths && paths.length <= MAX_LOOKED_AT) {
    const args = [...harmless, 'add', '--refresh', '--pathspec-from-file=-', '--pathspec-file-nul'];
    await repository.run(args, { cwd: folder, input: joinZero(paths), signal });
  } else {
    const args = [...harmless, 'update-index', '-q', '--refresh'];
    await repository.run(args, { cwd: folder, signal });
  }
}

/** Selects the files that git converts: asking for attributes is faster than comparing files. */
async function convertible(
  { repository, folder, convertsLineEnds }: WorkingTree,
  doubtful: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const isAsked = !convertsLineEnds && doubtful && doubtful.length <= MAX_LOOKED_AT;
  if (!isAsked || doubtful.length === 0) return doubtful;
  return convertedPaths(repository, folder, doubtful, signal);
}
