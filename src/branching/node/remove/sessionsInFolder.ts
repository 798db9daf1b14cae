import { UserError } from '../../../base/errors.ts';
import { plain } from '../../../base/plainText.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { Catalogue, type CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { readSnapshots } from '../../../snapshots/node/list/snapshotsFile.ts';
import { workspacePlace } from '../../../snapshots/node/open/workspacePlace.ts';
import { pathExists } from '../branchPlace.ts';

/** A session whose program runs, or ran, in a folder or in one of its subfolders. */
export interface SessionInFolder extends CataloguedSession {
  /** The name that the user gave, or the program. */
  readonly name: string;
  readonly isRunning: boolean;
  /** The session's stored snapshots of that folder. */
  readonly snapshots: readonly SnapshotLine[];
}

/** All sessions in a folder; compares real paths. */
export async function sessionsInFolder(folder: string): Promise<SessionInFolder[]> {
  const place = await workspacePlace(folder);
  const isInside = async (other: string | undefined) =>
    other !== undefined && isWithin(place, await workspacePlace(other));
  const found: SessionInFolder[] = [];
  for (const session of await new Catalogue().list()) {
    const { meta } = session;
    const hasSnapshots = await isInside(meta.workspace);
    if (!hasSnapshots && !(await isInside(meta.cwd))) continue;
    const { name } = await readSessionNotes(session.folder);
    const lines = hasSnapshots ? await readSnapshots(session.folder) : [];
    found.push({
      ...session,
      name: plain(name ?? '') || plain(meta.cmd[0] ?? '') || meta.id,
      isRunning: meta.state === 'running' && (await isAlive(session)),
      snapshots: lines.filter(({ files }) => files.state === 'kept'),
    });
  }
  return found;
}

/**
 * Other sessions in the branch's folder, which lose their snapshots; none for an in-place branch.
 */
export async function otherSessionsIn({
  id,
  kind,
  destination,
}: BranchRecord): Promise<SessionInFolder[]> {
  if (kind === 'in-place' || !pathExists(destination)) return [];
  return (await sessionsInFolder(destination)).filter(({ meta }) => meta.id !== id);
}

/** Refuses to change a folder while a session runs in it. @throws UserError */
export function checkNotRunning(sessions: readonly SessionInFolder[], folder: string): void {
  const running = sessions.find(({ isRunning }) => isRunning);
  if (!running) return;
  const { id } = running.meta;
  throw new UserError(
    'session-running',
    `The session ${id}, “${running.name}”, is running in ${folder}; stop it first: ah agent stop ${id}`,
    { remedy: { kind: 'stopSession', sessionId: id } },
  );
}
