import type { SnapshotProvider } from '../../snapshots/provider.ts';
import { expiredBySize, expiredSnapshots } from '../../snapshots/retention.ts';
import type { Expiry, KeptSnapshot, RetentionPolicy } from '../../snapshots/retention.ts';
import type { SnapshotLine } from '../../snapshots/snapshotLine.ts';
import { BranchRegistry } from '../branching/branchRegistry.ts';
import { nodeFiles } from '../files/files.ts';
import type { Catalogue, CataloguedSession } from '../sessions/catalogue.ts';
import { isAlive } from '../sessions/liveness.ts';
import { openedSnapshots } from './openedSnapshots.ts';
import { mayBeRestoring, readReplaced } from './restoreWorkspace.ts';
import { readSessionNotes } from '../sessions/sessionNotes.ts';
import { openProviderOfGone, openSnapshotProvider } from './snapshotProviders.ts';
import { readSnapshots, SnapshotsFile } from './snapshotsFile.ts';
import { workspacePlace } from './workspacePlace.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** What pruning a workspace's snapshots would remove. */
export interface PrunePlan {
  readonly workspace: string;
  readonly expired: readonly Expiry<Candidate>[];
  /** References that nobody knows: left by work that was interrupted. */
  readonly garbage: readonly string[];
  /** What all snapshots of the workspace cost, before. */
  readonly totalBytes: number;
  /** What removing these frees. */
  readonly freedBytes: number;
  readonly provider: SnapshotProvider;
}

/** A moment of a session that a reference is kept for. Several may share one when nothing changed between them. */
interface Use {
  readonly session: CataloguedSession;
  readonly line: SnapshotLine;
  readonly isNeeded: boolean;
}

/** A reference, and all who use it. */
interface Candidate extends KeptSnapshot {
  readonly ref: string;
  readonly uses: readonly Use[];
}

/** One plan for each workspace whose provider works; the others are named by `onSkip`. */
export async function planPruning(
  catalogue: Catalogue,
  policy: RetentionPolicy,
  onSkip: (workspace: string, error: unknown) => void,
  nowMs = Date.now(),
): Promise<PrunePlan[]> {
  const byWorkspace = new Map<string, CataloguedSession[]>();
  for (const session of await catalogue.list()) {
    if (session.meta.workspace === undefined) continue;
    // By whichever name: what a session under another one keeps here is no garbage.
    const workspace = await workspacePlace(session.meta.workspace);
    byWorkspace.set(workspace, [...(byWorkspace.get(workspace) ?? []), session]);
  }
  const plans: PrunePlan[] = [];
  for (const [workspace, sessions] of byWorkspace) {
    try {
      plans.push(await planWorkspace(workspace, sessions, policy, nowMs));
    } catch (error) {
      onSkip(workspace, error);
    }
  }
  return plans;
}

/** Each is said to be removed before it is: after a crash between the two it is garbage, and goes next time. */
export async function prune({ expired, garbage, provider }: PrunePlan): Promise<void> {
  for (const { session, line } of expired.flatMap(({ snapshot }) => snapshot.uses)) {
    const file = await SnapshotsFile.open(session.folder);
    await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
  await provider.remove([...expired.map(({ snapshot }) => snapshot.ref), ...garbage]);
}

async function planWorkspace(
  workspace: string,
  sessions: readonly CataloguedSession[],
  policy: RetentionPolicy,
  nowMs: number,
): Promise<PrunePlan> {
  const isThere = await nodeFiles.canRead(workspace);
  const provider = await (isThere ? openSnapshotProvider : openProviderOfGone)(workspace);
  const branched = await branchedRefs(workspace);
  const uses = new Map<string, Use[]>();
  const known = new Set(branched);
  let isAnyAlive = false;
  for (const session of sessions) {
    if (session.meta.state === 'running' && (await isAlive(session))) isAnyAlive = true;
    for (const { ref, tsNs } of await readReplaced(session.folder))
      if (nowMs - millisecondsOf(tsNs) <= policy.maxAgeMs) known.add(ref);
    const { pinnedSnapshots = [] } = await readSessionNotes(session.folder);
    const opened = await openedSnapshots(session.folder);
    for (const line of await readSnapshots(session.folder)) {
      if (line.files.state !== 'kept' || line.files.provider !== provider.name) continue;
      const isPinned = pinnedSnapshots.includes(String(line.id));
      const isUsed = branched.has(line.files.ref) || opened.has(line.id);
      const use = { session, line, isNeeded: isPinned || isUsed };
      uses.set(line.files.ref, [...(uses.get(line.files.ref) ?? []), use]);
    }
  }
  const candidates = [...uses].map(([ref, users]) => candidate(ref, users));
  const costOf = (some: readonly Candidate[]) => provider.cost(some.map(({ ref }) => ref));
  const totalBytes = await costOf(candidates);
  const timely = expiredSnapshots(candidates, policy, nowMs);
  const excess = totalBytes - policy.maxBytes;
  const expired = [...timely, ...(await expiredBySize(candidates, timely, excess, costOf))];
  // A snapshot that is being taken right now has a reference before it has a line.
  const unknown = isAnyAlive ? [] : await provider.list();
  return {
    ...{ workspace, expired, provider, totalBytes },
    garbage: unknown.filter(
      (ref) => !uses.has(ref) && !known.has(ref) && !mayBeRestoring(ref, nowMs),
    ),
    freedBytes: await costOf(expired.map(({ snapshot }) => snapshot)),
  };
}

/** What branches came from: needed to say what they changed, even when their session is gone. */
async function branchedRefs(workspace: string): Promise<Set<string>> {
  const refs = new Set<string>();
  for (const { from } of await new BranchRegistry().list())
    if ((await workspacePlace(from.knownAs ?? from.workspace)) === workspace)
      refs.add(from.snapshotRef);
  return refs;
}

/** As young as its youngest use, and needed when one of them is. */
function candidate(ref: string, uses: readonly Use[]): Candidate {
  const youngest = uses.reduce((a, b) => (a.line.tsNs > b.line.tsNs ? a : b));
  return {
    ...{ ref, uses, id: youngest.line.id, sessionId: youngest.session.meta.id },
    takenMs: millisecondsOf(youngest.line.tsNs),
    isNeeded: uses.some(({ isNeeded }) => isNeeded),
  };
}

function millisecondsOf(tsNs: bigint): number {
  return Number(tsNs / NANOSECONDS_PER_MILLISECOND);
}
