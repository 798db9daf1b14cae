import { Option } from 'commander';
import { UserError } from '../base/errors.ts';
import { isWithin } from '../platform/node/files/isWithin.ts';
import { Catalogue, type CataloguedSession } from '../sessions/node/catalogue.ts';
import { SessionFiles } from '../snapshots/node/list/sessionFiles.ts';
import { workspacePlace } from '../snapshots/node/open/workspacePlace.ts';

export function sessionOption(): Option {
  return new Option(
    '--session <id>',
    'The session (default: the current session, else the newest of this folder)',
  );
}

/**
 * @param id the ID that the user typed. If undefined, returns the session in AH_SESSION_ID, else
 * the newest session with snapshots of this folder.
 */
export async function whichSession(id: string | undefined): Promise<CataloguedSession> {
  const catalogue = new Catalogue();
  const wanted = id ?? process.env['AH_SESSION_ID'];
  if (wanted) return catalogue.find(wanted);
  const here = await workspacePlace(process.cwd());
  for (const session of await catalogue.list()) {
    const { workspace } = session.meta;
    if (workspace !== undefined && isWithin(await workspacePlace(workspace), here)) return session;
  }
  throw new UserError(
    'no-sessions',
    'No session has snapshots of this folder. Choose one with --session; to list them: ah agent sessions',
  );
}

/** Opens the snapshots of a session and closes them after `task`. */
export async function withSessionFiles<T>(
  id: string | undefined,
  task: (files: SessionFiles) => Promise<T>,
  movedTo?: string,
): Promise<T> {
  const files = await SessionFiles.open(await whichSession(id), movedTo);
  try {
    return await task(files);
  } finally {
    await files.dispose();
  }
}
