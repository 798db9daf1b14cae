import { plainText } from '../../base/plainText.ts';
import type { KeptRepository } from '../../snapshots/common/provider.ts';
import type { BranchKind } from './branchRecord.ts';

const MAX_NAME_LENGTH = 80;
const WHY = 'is gone, or does not have the commit any more that HEAD was at.';
const LOST = 'HEAD, and what was staged, are not brought along.';

/** What a folder is that is made of a snapshot, by the repositories that this has HEAD and index of. */
export function kindOfFolder(repositories: readonly KeptRepository[]): BranchKind {
  const isLinkedAtTop = repositories.some(({ path, isLinked }) => path === '' && isLinked);
  return isLinkedAtTop ? 'worktree' : 'clone';
}

/** Says of which repositories a branch has the files alone. @returns sentences */
export function unlinkedRepositories(repositories: readonly KeptRepository[]): string[] {
  return repositories
    .filter(({ isLinked }) => !isLinked)
    .map(({ path }) =>
      path === ''
        ? `The branch has the files, but is no git working tree: the repository of this folder ${WHY} ${LOST}`
        : `${plainText(path, MAX_NAME_LENGTH)} has its files in the branch, but is no git working tree there: its repository ${WHY} ${LOST}`,
    );
}
