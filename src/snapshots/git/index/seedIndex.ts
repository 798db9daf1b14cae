import { errorCode } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import { GitFailure, isDiskFull } from '../gitCommand.ts';
import { removePaths } from './privateIndex.ts';
import { indexFileOf } from '../scan/workTree.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';
import type { WorkTreeGit } from '../scan/workTreeGit.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

/**
 * Starts our index from HEAD and copies the packed objects of the user's repository, so that the
 * first scan compresses and writes only the differences. Only an optimization.
 */
export async function seedIndex(
  context: ScanContext,
  workTree: WorkTree,
  git: WorkTreeGit,
): Promise<void> {
  const { ports, store, signal } = context;
  const repository = workTree.watch?.repository;
  if (!repository || workTree.prefix !== '' || repository.format !== store.format) return;
  try {
    await ports.files.stat(indexFileOf(context, workTree));
    return;
  } catch (error) {
    // Untested: any other error fails the snapshot, and the index stays.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const { commit } = (await workTree.watch.read(signal)).head;
  if (commit === undefined) return;
  try {
    const tree = `${commit}^{tree}`;
    const objects = await repository.git(
      ['rev-list', '--objects', '--no-object-names', '--exclude-promisor-objects', tree],
      { signal },
    );
    await store.packFrom(joinPath(repository.commonDir, 'objects'), objects.stdout, signal);
    const oid = await repository.git(['rev-parse', tree], { signal });
    await git.run(['read-tree', new TextDecoder().decode(oid.stdout).trim()]);
    await removePaths(git, await submodules(git));
    // Reads all files once and stores the times of those that equal HEAD.
    await git.run(['update-index', '-q', '--refresh']);
  } catch (error) {
    // The repository lacks objects, for example because it is a partial clone.
    // Untested: any other error fails the snapshot; the next snapshot tries again.
    if (!(error instanceof GitFailure) || isDiskFull(error)) throw error;
    await ports.files.removeTree(indexFileOf(context, workTree));
  }
}

/** Submodules are scanned as separate repositories, not as entries. */
async function submodules(git: WorkTreeGit): Promise<string[]> {
  const entries = pathsOf((await git.run(['ls-files', '-z', '-s'])).stdout);
  return entries
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}
