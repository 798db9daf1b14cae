import type { Omission } from '../../common/provider.ts';
import { rarestFirst } from '../../common/rarestFirst.ts';
import { baseName } from '../../common/posixPath.ts';
import type { RepositoryState } from '../worktree/repositoryState.ts';
import { joinRelative } from './workTree.ts';

/**
 * Sorts omissions by path and removes duplicates. If there are too many ignored paths, names only
 * those of rare kinds; an entry with an empty path counts the rest.
 */
export function limitOmissions(omissions: readonly Omission[], limit: number): Omission[] {
  const byPath = new Map(omissions.map((omission) => [omission.path, omission]));
  const sorted = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const others = sorted.filter(({ reason }) => reason !== 'ignored');
  const ignored = sorted.filter(({ reason }) => reason === 'ignored');
  const room = Math.max(0, limit - others.length);
  if (ignored.length <= room) return sorted;
  const named = new Set(rarestFirst(ignored.map(({ path }) => path)).slice(0, room));
  const count = ignored.length - room;
  return [
    ...sorted.filter((omission) => omission.reason !== 'ignored' || named.has(omission.path)),
    { path: '', reason: 'ignored', detail: `and ${count} more ignored paths` },
  ];
}

const GIT = '.git';

/**
 * Lists the repositories with staged content that we could not store, for example because they are
 * partial clones.
 */
export function missingStaged(repositories: readonly RepositoryState[]): Omission[] {
  return repositories.flatMap(({ path, index }) => {
    const count = index?.missing.length ?? 0;
    const detail = `${count} staged files are missing or have another hash format`;
    return count > 0 ? [{ path: joinRelative(path, GIT), reason: 'unreadable', detail }] : [];
  });
}

/** Whether the omission is one of {@link missingStaged}: only these name a `.git` folder. */
export function isMissingStaged({ path, reason }: Omission): boolean {
  return reason === 'unreadable' && baseName(path) === GIT;
}
