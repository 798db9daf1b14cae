import { errorCode } from '../../volume/errorCode.ts';
import { joinPath } from '../../common/posixPath.ts';
import { GitFailure, isDiskFull } from '../gitCommand.ts';
import { removePaths } from './privateIndex.ts';
import { indexFileOf } from '../scan/workTree.ts';
import type { ScanContext, WorkTree, WorkTreeGit } from '../scan/workTree.ts';
import { pathsOf } from '../zeroSeparated.ts';

/**
 * Begins an index of ours with what HEAD has, and copies those contents as the user's repository has packed them: then a
 * first scan compresses and writes only what differs. Without it, it would take longer and come to the same.
 */
export async function seedIndex(
  context: ScanContext,
  unit: WorkTree,
  own: WorkTreeGit,
): Promise<void> {
  const { ports, store, signal } = context;
  const repository = unit.watch?.repository;
  if (!repository || unit.prefix !== '' || repository.format !== store.format) return;
  try {
    await ports.files.stat(indexFileOf(context, unit));
    return;
  } catch (error) {
    // Untested: the error fails the snapshot, and the index stays.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const { commit } = (await unit.watch.read(signal)).head;
  if (commit === undefined) return;
  try {
    const tree = `${commit}^{tree}`;
    const objects = await repository.git(
      ['rev-list', '--objects', '--no-object-names', '--exclude-promisor-objects', tree],
      { signal },
    );
    await store.packFrom(joinPath(repository.commonDir, 'objects'), objects.stdout, signal);
    const oid = await repository.git(['rev-parse', tree], { signal });
    await own.run(['read-tree', new TextDecoder().decode(oid.stdout).trim()]);
    await removePaths(own, await submodules(own));
    // Reads all files once, and notes the times of those that are as HEAD has them.
    await own.run(['update-index', '-q', '--refresh']);
  } catch (error) {
    // A repository that lacks objects, as partial ones do.
    // Untested: the error fails the snapshot; the next one starts with a seed again.
    if (!(error instanceof GitFailure) || isDiskFull(error)) throw error;
    await ports.files.removeTree(indexFileOf(context, unit));
  }
}

/** They are repositories of their own here, not entries. */
async function submodules(own: WorkTreeGit): Promise<string[]> {
  const entries = pathsOf((await own.run(['ls-files', '-z', '-s'])).stdout);
  return entries
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}
