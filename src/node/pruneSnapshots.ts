import type { SnapshotProvider } from '../snapshots/provider.ts';
import { expiredSnapshots, type Expiry, type RetentionPolicy } from '../snapshots/retention.ts';
import type { SnapshotLine } from '../snapshots/snapshotLine.ts';
import { BranchRegistry } from './branching/branchRegistry.ts';
import type { Catalogue, CataloguedSession } from './catalogue.ts';
import { isAlive } from './liveness.ts';
import { readReplaced } from './restoreWorkspace.ts';
import { readSessionNotes } from './sessionNotes.ts';
import { openSnapshotProvider } from './snapshotProviders.ts';
import { readSnapshots, SnapshotsFile } from './snapshotsFile.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** What pruning a workspace's snapshots would remove. */
export interface PrunePlan {
  readonly workspace: string;
  readonly expired: readonly (Expiry & { readonly uses: readonly Use[] })[];
  /** References that nobody knows: left by work that was interrupted. */
  readonly garbage: readonly string[];
  /** What all snapshots of the workspace cost, before. */
  readonly totalBytes: number;
  readonly provider: SnapshotProvider;
}

/** A moment of a session that a reference is kept for. Several may share one when nothing changed between them. */
interface Use {
  readonly session: CataloguedSession;
  readonly line: SnapshotLine;
  readonly isNeeded: boolean;
}

/** One plan for each workspace whose provider works; the others are named by `onSkip`. */
export async function planPruning(
  catalogue: Catalogue,
  policy: RetentionPolicy,
  onSkip: (workspace: string, error: unknown) => void,
): Promise<PrunePlan[]> {
  const byWorkspace = new Map<string, CataloguedSession[]>();
  for (const session of await catalogue.list()) {
    const { workspace } = session.meta;
    if (workspace === undefined) continue;
    byWorkspace.set(workspace, [...(byWorkspace.get(workspace) ?? []), session]);
  }
  const plans: PrunePlan[] = [];
  for (const [workspace, sessions] of byWorkspace) {
    try {
      plans.push(await planWorkspace(workspace, sessions, policy));
    } catch (error) {
      onSkip(workspace, error);
    }
  }
  return plans;
}

/** Each is said to be removed before it is: after a crash between the two it is garbage, and goes next time. */
export async function prune({ expired, garbage, provider }: PrunePlan): Promise<void> {
  for (const { session, line } of expired.flatMap(({ uses }) => uses)) {
    const file = await SnapshotsFile.open(session.folder);
    await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
  const refs = expired.flatMap(({ uses }) => refOf(uses[0]!.line));
  await provider.remove([...refs, ...garbage]);
}

async function planWorkspace(
  workspace: string,
  sessions: readonly CataloguedSession[],
  policy: RetentionPolicy,
): Promise<PrunePlan> {
  const provider = await openSnapshotProvider(workspace);
  const branched = await branchedRefs(workspace);
  const uses = new Map<string, Use[]>();
  const known = new Set(branched);
  let isAnyAlive = false;
  for (const session of sessions) {
    if (session.meta.state === 'running' && (await isAlive(session))) isAnyAlive = true;
    for (const { ref } of await readReplaced(session.folder)) known.add(ref);
    const { pinnedSnapshots = [] } = await readSessionNotes(session.folder);
    for (const line of await readSnapshots(session.folder)) {
      if (line.files.state !== 'kept' || line.files.provider !== provider.name) continue;
      const isPinned = pinnedSnapshots.includes(String(line.id));
      const use = { session, line, isNeeded: isPinned || branched.has(line.files.ref) };
      uses.set(line.files.ref, [...(uses.get(line.files.ref) ?? []), use]);
    }
  }
  const candidates = await Promise.all(
    [...uses].map(async ([ref, users]) => ({
      ...candidate(users),
      bytes: await provider.cost([ref]),
      users,
    })),
  );
  const expired = expiredSnapshots(candidates, policy, Date.now()).map((expiry) => ({
    ...expiry,
    uses: candidates.find((each) => each === expiry.snapshot)!.users,
  }));
  // A snapshot that is being taken right now has a reference before it has a line.
  const unknown = isAnyAlive ? [] : await provider.list();
  return {
    ...{ workspace, expired, provider },
    garbage: unknown.filter((ref) => !uses.has(ref) && !known.has(ref)),
    totalBytes: candidates.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** What branches came from: needed to say what they changed, even when their session is gone. */
async function branchedRefs(workspace: string): Promise<Set<string>> {
  const records = await new BranchRegistry().list();
  const ours = records.filter(({ from }) => (from.knownAs ?? from.workspace) === workspace);
  return new Set(ours.map(({ from }) => from.snapshotRef));
}

/** As young as its youngest use, and needed when one of them is. */
function candidate(users: readonly Use[]) {
  const youngest = users.reduce((a, b) => (a.line.tsNs > b.line.tsNs ? a : b));
  return {
    sessionId: youngest.session.meta.id,
    id: youngest.line.id,
    takenMs: Number(youngest.line.tsNs / NANOSECONDS_PER_MILLISECOND),
    isNeeded: users.some(({ isNeeded }) => isNeeded),
  };
}

function refOf({ files }: SnapshotLine): string[] {
  return files.state === 'kept' ? [files.ref] : [];
}
