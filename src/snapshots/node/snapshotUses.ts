import type { ProviderName } from '../common/provider.ts';
import type { RetentionPolicy } from '../common/retention.ts';
import type { SnapshotLine } from '../common/snapshotLine.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import { DeletedSessions } from '../../sessions/node/deletedSessions.ts';
import { isAlive } from '../../sessions/node/liveness.ts';
import { readSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { openedSnapshots } from './openedSnapshots.ts';
import { readReplaced } from './restoreWorkspace.ts';
import { readSnapshots } from './snapshotsFile.ts';
import { workspacePlace } from './workspacePlace.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** A moment of a session that a reference is kept for. Several may share one when nothing changed between them. */
export interface SnapshotUse {
  readonly session: CataloguedSession;
  readonly line: SnapshotLine;
  readonly provider: ProviderName;
}

/** What snapshots are there for. */
export interface SnapshotUses {
  readonly byRef: ReadonlyMap<string, readonly SnapshotUse[]>;
  /** References that stay, whatever their age: pinned, shown, branched from, or the way back from a restore. */
  readonly needed: ReadonlySet<string>;
}

/** Whose snapshots there are: sessions by where their workspace really is. */
export interface SessionsByWorkspace {
  readonly byWorkspace: ReadonlyMap<string, readonly CataloguedSession[]>;
  /** Some could not be read now: what they use is not known. */
  readonly areSomeUnknown: boolean;
}

/** Those that were deleted and can be brought back too: their files have to come back with them. */
export async function sessionsByWorkspace(catalogue: Catalogue): Promise<SessionsByWorkspace> {
  const { sessions, areSomeUnknown } = await catalogue.listAll();
  const byWorkspace = new Map<string, CataloguedSession[]>();
  for (const session of [...sessions, ...(await new DeletedSessions(catalogue).list())]) {
    if (session.meta.workspace === undefined) continue;
    // By whichever name: what a session under another one keeps here is no garbage.
    const workspace = await workspacePlace(session.meta.workspace);
    byWorkspace.set(workspace, [...(byWorkspace.get(workspace) ?? []), session]);
  }
  return { byWorkspace, areSomeUnknown };
}

/** As these sessions say now, in files that may say something else a moment later. */
export async function readSnapshotUses(
  sessions: readonly CataloguedSession[],
  { maxAgeMs }: Pick<RetentionPolicy, 'maxAgeMs'>,
  nowMs: number,
): Promise<SnapshotUses> {
  const byRef = new Map<string, SnapshotUse[]>();
  // What branches came from is needed to say what they changed, even when their session is gone.
  const branches = await new BranchRegistry().list();
  const needed = new Set(branches.map(({ from }) => from.snapshotRef));
  for (const session of sessions) {
    for (const { ref, tsNs } of await readReplaced(session.folder))
      if (nowMs - millisecondsOf(tsNs) <= maxAgeMs) needed.add(ref);
    const { pinnedSnapshots = [] } = await readSessionNotes(session.folder);
    const opened = await openedSnapshots(session.folder);
    for (const line of await readSnapshots(session.folder)) {
      if (line.files.state !== 'kept') continue;
      const { ref, provider } = line.files;
      if (pinnedSnapshots.includes(String(line.id)) || opened.has(line.id)) needed.add(ref);
      byRef.set(ref, [...(byRef.get(ref) ?? []), { session, line, provider }]);
    }
  }
  return { byRef, needed };
}

/** Whether more may be in use in a workspace than is said: what looks unused there may not be. */
export async function mayUseMore(
  workspace: string,
  { byWorkspace, areSomeUnknown }: SessionsByWorkspace,
): Promise<boolean> {
  if (areSomeUnknown) return true;
  for (const session of byWorkspace.get(workspace) ?? [])
    if (await mayTakeMore(session)) return true;
  return false;
}

/** A snapshot that is being taken right now has a reference before it has a line; the last one, when the program has ended already. */
async function mayTakeMore(session: CataloguedSession): Promise<boolean> {
  const isUnderWay =
    session.meta.state === 'running' ||
    (await readSnapshots(session.folder)).some(({ files }) => files.state === 'pending');
  return isUnderWay && (await isAlive(session));
}

export function millisecondsOf(tsNs: bigint): number {
  return Number(tsNs / NANOSECONDS_PER_MILLISECOND);
}
