import { UserError } from '../../../base/errors.ts';
import { plain } from '../../../base/plainText.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { Catalogue, type CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { readSnapshots } from '../../../snapshots/node/snapshotsFile.ts';
import { workspacePlace } from '../../../snapshots/node/workspacePlace.ts';
import { isThere } from '../branchPlace.ts';

/** A session whose program works, or worked, in a folder or below it. */
export interface SessionInFolder extends CataloguedSession {
  /** As people know it: the name that it was given, else its program. */
  readonly name: string;
  readonly isRunning: boolean;
  /** Those whose files are kept, and are files of that folder. */
  readonly snapshots: readonly SnapshotLine[];
}

/** All of them, whoever started them, by where their folders really are. */
export async function sessionsInFolder(folder: string): Promise<SessionInFolder[]> {
  const place = await workspacePlace(folder);
  const isInIt = async (other: string | undefined) =>
    other !== undefined && isWithin(place, await workspacePlace(other));
  const found: SessionInFolder[] = [];
  for (const session of await new Catalogue().list()) {
    const { meta } = session;
    const keepsIts = await isInIt(meta.workspace);
    if (!keepsIts && !(await isInIt(meta.cwd))) continue;
    const { name } = await readSessionNotes(session.folder);
    const lines = keepsIts ? await readSnapshots(session.folder) : [];
    found.push({
      ...session,
      name: plain(name ?? '') || plain(meta.cmd[0] ?? '') || meta.id,
      isRunning: meta.state === 'running' && (await isAlive(session)),
      snapshots: lines.filter(({ files }) => files.state === 'kept'),
    });
  }
  return found;
}

/** Those beside the branch's own that go without their files when it is removed; none where it works in the original's folder. */
export async function otherSessionsIn({
  id,
  kind,
  destination,
}: BranchRecord): Promise<SessionInFolder[]> {
  if (kind === 'in-place' || !isThere(destination)) return [];
  return (await sessionsInFolder(destination)).filter(({ meta }) => meta.id !== id);
}

/** Nothing is replaced or removed under a program that works there. @throws UserError */
export function checkNoneRuns(sessions: readonly SessionInFolder[], folder: string): void {
  const running = sessions.find(({ isRunning }) => isRunning);
  if (!running) return;
  const { id } = running.meta;
  throw new UserError(
    'session-running',
    `The session ${id}, “${running.name}”, is running in ${folder}; stop it first: ah agent stop ${id}`,
  );
}
