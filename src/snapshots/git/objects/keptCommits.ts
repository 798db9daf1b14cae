import type { ObjectStore } from './objectStore.ts';
import type { UserRepository } from '../worktree/repository.ts';

const encoder = new TextEncoder();

/**
 * Names the reference that keeps a commit. The name includes our store: git worktrees share a
 * repository, but each has its own snapshots and store.
 */
export function keepReference(store: ObjectStore, oid: string): string {
  const owner = store.hashOf('blob', encoder.encode(store.gitDir)).slice(0, 16);
  return `refs/ah/keep/${owner}/${oid}`;
}

/**
 * Creates references in the user's repository so that it keeps these commits even after an amend, a
 * rebase or a garbage collection: branches from a snapshot need them. The files of a snapshot are
 * in our own store.
 * @returns the commits that are kept
 */
export async function keepCommits(
  store: ObjectStore,
  repository: UserRepository,
  commits: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(commits)].sort();
  if (wanted.length === 0) return [];
  const result = await update(
    repository,
    wanted.map((oid) => `update ${keepReference(store, oid)} ${oid}\n`),
  );
  if (result) return wanted;
  // Some objects may be missing, or be no commits; keep the others.
  const kept: string[] = [];
  for (const oid of wanted) {
    if (await update(repository, [`update ${keepReference(store, oid)} ${oid}\n`])) kept.push(oid);
  }
  return kept;
}

export async function releaseCommits(
  store: ObjectStore,
  repository: UserRepository,
  commits: readonly string[],
): Promise<void> {
  for (const oid of new Set(commits)) {
    await update(repository, [`delete ${keepReference(store, oid)}\n`]);
  }
}

async function update(repository: UserRepository, lines: readonly string[]): Promise<boolean> {
  const input = encoder.encode(lines.join(''));
  return (await repository.run(['update-ref', '--stdin'], { input })).exitCode === 0;
}
