import type { ObjectStore } from './objectStore.ts';
import type { UserRepository } from '../worktree/repository.ts';

const encoder = new TextEncoder();

/** Named by the store that needs it: working trees share a repository, and each has snapshots, and a store, of its own. */
export function keepReference(store: ObjectStore, oid: string): string {
  const owner = store.hashOf('blob', encoder.encode(store.gitDir)).slice(0, 16);
  return `refs/ah/keep/${owner}/${oid}`;
}

/**
 * Makes the user's repository keep commits, whatever is amended, rebased and collected later: a branch from a snapshot needs
 * them. The files of a snapshot do not: they are in our own store.
 * @returns the ones that are kept now
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
  // One of them may be no commit, or be missing: the others are kept all the same.
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
