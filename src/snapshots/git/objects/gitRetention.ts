import { errorCode } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import { releaseCommits } from './keptCommits.ts';
import type { ObjectStore } from './objectStore.ts';
import { commitOf, nameOf } from './gitSnapshotRecord.ts';
import type { CommitNote } from './gitSnapshotRecord.ts';
import type { UserRepository } from '../worktree/repository.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SNAPSHOTS = 'refs/snapshots/';

interface Listed {
  readonly ref: string;
  readonly note: CommitNote | undefined;
}

export async function listSnapshots(store: ObjectStore): Promise<Listed[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(contents:subject)';
  const { stdout } = await store.git(['for-each-ref', format, SNAPSHOTS]);
  return decoder
    .decode(stdout)
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', oid, subject = ''] = line.split('\0');
      return { ref: `${name.slice(SNAPSHOTS.length)}@${oid}`, note: parseNote(subject) };
    });
}

/** Returns the disk space that only these snapshots use. */
export async function diskUsageOf(
  store: ObjectStore,
  refs: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  const all = (await listSnapshots(store)).map(({ ref }) => ref);
  const going = new Set(refs);
  const present = all.filter((ref) => going.has(ref)).map(commitOf);
  if (present.length === 0) return 0;
  const others = all.filter((ref) => !going.has(ref)).map((ref) => `^${commitOf(ref)}`);
  const input = encoder.encode([...present, ...others].map((line) => `${line}\n`).join(''));
  const args = ['rev-list', '--objects', '--disk-usage', '--stdin'];
  return Number(decoder.decode((await store.git(args, { input, signal })).stdout).trim());
}

/** Removes references; {@link collectGarbage} removes the objects that only they needed. */
export async function removeSnapshots(
  ports: GitPorts,
  store: ObjectStore,
  refs: readonly string[],
  repositoryAt: (path: string) => Promise<UserRepository | undefined>,
): Promise<number> {
  const listed = await listSnapshots(store);
  const going = new Set(refs);
  const removed = listed.filter(({ ref }) => going.has(ref));
  for (const { ref } of removed) {
    await ports.files
      .remove(joinPath(store.gitDir, `${SNAPSHOTS}${nameOf(ref)}`))
      .catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
  }
  const needed = commitsKeptBy(listed.filter(({ ref }) => !going.has(ref)));
  for (const [path, commits] of commitsKeptBy(removed)) {
    const free = [...commits].filter((oid) => !needed.get(path)?.has(oid));
    const repository = free.length > 0 ? await repositoryAt(path) : undefined;
    if (repository) await releaseCommits(store, repository, free);
  }
  return removed.length;
}

/** Removes the references that make the user's existing repositories keep commits for snapshots. */
export async function releaseAll(
  store: ObjectStore,
  repositoryAt: (path: string) => Promise<UserRepository | undefined>,
): Promise<void> {
  for (const [path, commits] of commitsKeptBy(await listSnapshots(store))) {
    const repository = await repositoryAt(path);
    if (repository) await releaseCommits(store, repository, [...commits]);
  }
}

/** Removes unreferenced objects. The caller holds the lock. */
export async function collectGarbage(store: ObjectStore): Promise<void> {
  await store.rewrite(['repack', '-a', '-d', '-q']);
  await store.rewrite(['prune', '--expire=now']);
  store.forget();
}

function commitsKeptBy(listed: readonly Listed[]): Map<string, Set<string>> {
  const kept = new Map<string, Set<string>>();
  for (const { note } of listed) {
    for (const { path, commits } of note?.kept ?? []) {
      const known = kept.get(path) ?? new Set();
      kept.set(path, known);
      for (const oid of commits) known.add(oid);
    }
  }
  return kept;
}

function parseNote(subject: string): CommitNote | undefined {
  try {
    return JSON.parse(subject) as CommitNote;
  } catch {
    // Untested: the note is in a commit object, which git checks by its hash.
    return undefined;
  }
}
