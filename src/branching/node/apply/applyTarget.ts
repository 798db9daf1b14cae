import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { Catalogue, type CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { isSamePlace } from '../../../snapshots/node/open/workspacePlace.ts';

/** The present folder of the original workspace if it was moved; undefined otherwise. */
export function movedWorkspace({ from }: BranchRecord): string | undefined {
  return from.knownAs === undefined ? undefined : from.workspace;
}

/**
 * The session that stores the replaced files when a branch is applied, for undo: the original
 * session or, if it was deleted, the newest other session of the same folder.
 * @throws UserError when there is no such session
 */
export async function sessionToApplyTo(
  { id, name, workspace, from }: BranchRecord,
  catalogue = new Catalogue(),
): Promise<CataloguedSession> {
  // The session was deleted.
  const original = await catalogue.get(from.sessionId).catch(() => undefined);
  if (original) return original;
  const folder = from.knownAs ?? from.workspace;
  for (const session of await catalogue.list()) {
    const { meta } = session;
    if (meta.id === id || meta.workspace === undefined) continue;
    if (await isSamePlace(meta.workspace, folder)) return session;
  }
  throw new UserError(
    'session-not-found',
    `Can't apply “${name}”: its original session was deleted and no other session has snapshots of ${folder}, so this could not be undone. Record a session there first, merge the commits (--merge), or copy files from ${workspace}.`,
  );
}
