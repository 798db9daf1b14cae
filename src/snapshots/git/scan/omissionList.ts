import type { Omission } from '../../common/provider.ts';
import { rarestFirst } from '../../common/rarestFirst.ts';
import { baseName } from '../../common/posixPath.ts';
import type { RepositoryState } from '../worktree/repositoryState.ts';
import { joinRelative } from './workTree.ts';

/**
 * By path, each once; when there are too many that are ignored, those are named that there are few of, and the rest is counted.
 * What was counted before, and has no path, counts too.
 */
export function limitOmissions(omissions: readonly Omission[], limit: number): Omission[] {
  const byPath = new Map(omissions.map((omission) => [omission.path, omission]));
  const sorted = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const told = sorted.filter(({ reason }) => reason !== 'ignored');
  const ignored = sorted.filter(({ reason, path }) => reason === 'ignored' && path !== '');
  const room = Math.max(0, limit - told.length);
  if (ignored.length <= room) return sorted;
  const named = new Set(rarestFirst(ignored.map(({ path }) => path)).slice(0, room));
  const countedBefore = Number(/\d+/.exec(byPath.get('')?.detail ?? '')?.[0] ?? 0);
  const count = ignored.length - room + countedBefore;
  return [
    ...sorted.filter((omission) => omission.reason !== 'ignored' || named.has(omission.path)),
    { path: '', reason: 'ignored', detail: `and ${count} more that are ignored` },
  ];
}

/**
 * Of what was found since, all that was not counted before. Names are told in their order: what comes after the last one of
 * them, where there were too many, is among those that were counted.
 */
export function notCounted(
  found: readonly Omission[],
  before: readonly Omission[],
  limit: number,
): readonly Omission[] {
  if (before.length <= limit) return found;
  const named = before.filter(({ reason }) => reason === 'ignored').map(({ path }) => path);
  const last = named.reduce((a, b) => (a > b ? a : b), '');
  return found.filter(({ reason, path }) => reason !== 'ignored' || path <= last);
}

const GIT = '.git';

/** Contents that are staged and that we could not keep, as a partial clone lacks them: their repositories are named. */
export function unkeptStaged(repositories: readonly RepositoryState[]): Omission[] {
  return repositories.flatMap(({ path, index }) => {
    const count = index?.missing.length ?? 0;
    const detail = `${count} staged contents are not there, or of another format`;
    return count > 0 ? [{ path: joinRelative(path, GIT), reason: 'unreadable', detail }] : [];
  });
}

/** Whether it is one of those: nothing else in a folder of that name is looked at. */
export function isUnkeptStaged({ path, reason }: Omission): boolean {
  return reason === 'unreadable' && baseName(path) === GIT;
}
