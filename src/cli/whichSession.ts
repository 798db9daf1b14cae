import { Option } from 'commander';
import { UserError } from '../base/errors.ts';
import { isWithin } from '../platform/node/files/isWithin.ts';
import { Catalogue, type CataloguedSession } from '../sessions/node/catalogue.ts';
import { SessionFiles } from '../sessions/node/sessionFiles.ts';
import { workspacePlace } from '../snapshots/node/workspacePlace.ts';

export function sessionOption(): Option {
  return new Option(
    '--session <id>',
    'which session (default: the one we are in, else the newest of this folder)',
  );
}

/** @param id as typed; without it the session this process runs in, else the newest that keeps the files of this folder */
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
    'No session has kept the files of this folder. Say which one with --session; see: ah agent sessions',
  );
}

/** Opens the snapshots of a session for as long as `task` runs. */
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
