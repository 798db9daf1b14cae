import { plainText } from '../../base/plainText.ts';
import type { KeptRepository } from '../../snapshots/common/provider.ts';
import type { BranchKind } from './branchRecord.ts';

const MAX_NAME_LENGTH = 80;
const WHY = 'is gone or no longer has the commit of HEAD.';
const LOST = 'HEAD and staged changes are not carried over.';

/** The kind of folder that the provider creates from a snapshot with these repositories. */
export function branchKindOf(repositories: readonly KeptRepository[]): BranchKind {
  const isLinkedAtTop = repositories.some(({ path, isLinked }) => path === '' && isLinked);
  return isLinkedAtTop ? 'worktree' : 'clone';
}

/** Warnings about repositories of which a branch has only the files. @returns sentences */
export function unlinkedRepositories(repositories: readonly KeptRepository[]): string[] {
  return repositories
    .filter(({ isLinked }) => !isLinked)
    .map(({ path }) =>
      path === ''
        ? `The branch has the files but is not a git working tree: the repository of this folder ${WHY} ${LOST}`
        : `${plainText(path, MAX_NAME_LENGTH)} has its files in the branch but is not a git working tree there: its repository ${WHY} ${LOST}`,
    );
}
