import path from 'node:path';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { sessionCommands } from './sessionCommands.ts';
import { useTemporaryFolder } from '../temporaryFolder.ts';
import { useSandbox } from '../useSandbox.ts';

/**
 * Call in a `describe`: every test gets the product with fresh data, a folder, and `ah agent …` as
 * a program of the session calls it.
 * @param files of the session, disposed of after each test
 * @param home name of the folder in which agents store their data, if a branch restores such data
 */
export function useSessionCommands(files: () => SessionFiles, home?: string) {
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const { ah, out } = sessionCommands(() => ({
    sandbox: sandbox.current,
    files: files(),
    cwd: place.path,
    ...(home !== undefined && { home: path.join(place.path, home) }),
  }));
  afterEach(() => files().dispose());
  return { sandbox, place, ah, out };
}
