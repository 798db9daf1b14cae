import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { Catalogue, type CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { isSamePlace } from '../../../snapshots/node/workspacePlace.ts';

/** Where the workspace of a branch's session is to be opened, if it is no longer where it was when the session ran. */
export function movedWorkspace({ from }: BranchRecord): string | undefined {
  return from.knownAs === undefined ? undefined : from.workspace;
}

/**
 * The session that remembers what taking a branch back replaces: the one that the branch came from; when that is deleted, the
 * newest other one of the same folder. The snapshot that the branch began with is kept either way.
 * @throws UserError when there is none: what is replaced could not be brought back
 */
export async function sessionToApplyTo(
  { id, name, workspace, from }: BranchRecord,
  catalogue = new Catalogue(),
): Promise<CataloguedSession> {
  const parent = await catalogue.get(from.sessionId).catch(() => undefined);
  if (parent) return parent;
  const folder = from.knownAs ?? from.workspace;
  for (const session of await catalogue.list()) {
    const { meta } = session;
    if (meta.id === id || meta.workspace === undefined) continue;
    if (await isSamePlace(meta.workspace, folder)) return session;
  }
  throw new UserError(
    'session-not-found',
    `The session that “${name}” comes from has been deleted, and no other one keeps the files of ${folder}, so that this could not be undone. Record one there first, merge the commits (--merge), or copy what you need from ${workspace}.`,
  );
}
