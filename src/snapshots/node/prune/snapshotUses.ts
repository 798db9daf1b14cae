import type { ProviderName } from '../../common/provider.ts';
import type { RetentionPolicy } from '../../common/retention.ts';
import type { SnapshotLine } from '../../common/snapshotLine.ts';
import type { BranchOrigins } from '../../../branching/common/branchOrigins.ts';
import type { Catalogue, CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { DeletedSessions } from '../../../sessions/node/deletedSessions.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { unfinishedScrubs } from '../../../sessions/node/unfinishedScrubs.ts';
import { openedSnapshots } from '../list/openedSnapshots.ts';
import { readReplaced } from '../restore/restoreWorkspace.ts';
import { readSnapshots } from '../list/snapshotsFile.ts';
import { workspacePlace } from '../open/workspacePlace.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/**
 * A moment of a session whose snapshot has this reference. Moments share a reference if nothing
 * changed between them.
 */
export interface SnapshotUse {
  readonly session: CataloguedSession;
  readonly line: SnapshotLine;
  readonly provider: ProviderName;
}

/** What the snapshots of sessions are used for. */
export interface SnapshotUses {
  readonly byRef: ReadonlyMap<string, readonly SnapshotUse[]>;
  /**
   * References that are kept at any age: of snapshots that are pinned, shown in an editor or the
   * start of a branch, of the first snapshot in each branch, and of snapshots that undo a recent
   * restore.
   */
  readonly needed: ReadonlySet<string>;
}

/** Sessions by the real path of their workspace. */
export interface SessionsByWorkspace {
  readonly byWorkspace: ReadonlyMap<string, readonly CataloguedSession[]>;
  /** Some sessions can't be read now, so their uses are unknown. */
  readonly areSomeUnknown: boolean;
  /** The sessions whose scrub is unfinished: references of their workspace are about to change. */
  readonly unfinishedScrubs: ReadonlySet<string>;
}

/**
 * Groups sessions by workspace. Includes deleted sessions that can be restored, because they then
 * need their snapshots.
 */
export async function sessionsByWorkspace(catalogue: Catalogue): Promise<SessionsByWorkspace> {
  // Before the sessions are read: a scrub that ends meanwhile may have changed some of them.
  const unfinished = unfinishedScrubs(catalogue);
  const { sessions, areSomeUnknown } = await catalogue.listAll();
  const byWorkspace = new Map<string, CataloguedSession[]>();
  for (const session of [...sessions, ...(await new DeletedSessions(catalogue).list())]) {
    if (session.meta.workspace === undefined) continue;
    // Sessions may name the same workspace by different paths. Group them by its real path, so that
    // the snapshots of none count as garbage.
    const workspace = await workspacePlace(session.meta.workspace);
    byWorkspace.set(workspace, [...(byWorkspace.get(workspace) ?? []), session]);
  }
  return { byWorkspace, areSomeUnknown, unfinishedScrubs: unfinished };
}

/** The session in a workspace whose scrub is unfinished, if any. */
export function unfinishedScrubIn(
  workspace: string,
  sessions: Pick<SessionsByWorkspace, 'byWorkspace' | 'unfinishedScrubs'>,
): string | undefined {
  const ids = (sessions.byWorkspace.get(workspace) ?? []).map(({ meta }) => meta.id);
  return ids.find((id) => sessions.unfinishedScrubs.has(id));
}

/** Reads the uses of snapshots from files that may change right after. */
export async function readSnapshotUses(
  sessions: readonly CataloguedSession[],
  branches: BranchOrigins,
  { maxAgeMs }: Pick<RetentionPolicy, 'maxAgeMs'>,
  nowMs: number,
): Promise<SnapshotUses> {
  const byRef = new Map<string, SnapshotUse[]>();
  const records = await branches.list();
  // A branch needs its starting snapshot to show what it changed, even after the session is
  // deleted.
  const needed = new Set(records.map(({ from }) => from.snapshotRef));
  const branchIds = new Set(records.map(({ id }) => id));
  for (const session of sessions) {
    for (const { ref, tsNs } of await readReplaced(session.folder))
      if (nowMs - millisecondsOf(tsNs) <= maxAgeMs) needed.add(ref);
    const { pinnedSnapshots = [] } = await readSessionNotes(session.folder);
    const opened = await openedSnapshots(session.folder);
    // Keep the first snapshot of a branch: the editor marks the files that differ from it.
    let isBase = branchIds.has(session.meta.id);
    for (const line of await readSnapshots(session.folder)) {
      if (line.files.state !== 'kept') continue;
      const { ref, provider } = line.files;
      if (pinnedSnapshots.includes(String(line.id)) || opened.has(line.id) || isBase)
        needed.add(ref);
      isBase = false;
      byRef.set(ref, [...(byRef.get(ref) ?? []), { session, line, provider }]);
    }
  }
  return { byRef, needed };
}

/** Whether snapshots of a workspace may have uses that are not known. */
export async function mayHaveMoreUses(
  workspace: string,
  sessions: SessionsByWorkspace,
): Promise<boolean> {
  if (sessions.areSomeUnknown || unfinishedScrubIn(workspace, sessions) !== undefined) return true;
  for (const session of sessions.byWorkspace.get(workspace) ?? [])
    if (await mayTakeMore(session)) return true;
  return false;
}

/**
 * Whether the session may be taking a snapshot, which has a reference before it has a line. The
 * last snapshot may complete after the program has ended.
 */
async function mayTakeMore(session: CataloguedSession): Promise<boolean> {
  const isUnderWay =
    session.meta.state === 'running' ||
    (await readSnapshots(session.folder)).some(({ files }) => files.state === 'pending');
  return isUnderWay && (await isAlive(session));
}

export function millisecondsOf(tsNs: bigint): number {
  return Number(tsNs / NANOSECONDS_PER_MILLISECOND);
}
