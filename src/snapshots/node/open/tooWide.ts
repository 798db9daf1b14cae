import { realpath } from 'node:fs/promises';
import os from 'node:os';
import { selectProvider } from '../../common/selectProvider.ts';
import { detectorsFor } from './providerDetectors.ts';

/**
 * Why git takes no snapshots of a folder: it is the home folder or the whole machine, with far more
 * files than a project.
 */
export type TooWide = 'home' | 'machine';

/** @returns why a workspace is too wide for snapshots; undefined if it is not */
export async function tooWide(workspace: string): Promise<TooWide | undefined> {
  // If the real path is unknown, use the given path.
  const real = await realpath(workspace).catch(() => workspace);
  const kind = await widthOf(real);
  if (!kind) return undefined;
  // Snapshots of a whole volume cost the same however much is in it.
  const { provider } = await selectProvider(
    detectorsFor({ workspace: real, storedAs: real, hasSnapshots: true }),
    ['zfs', 'btrfs'],
  );
  provider?.dispose();
  return provider ? undefined : kind;
}

async function widthOf(folder: string): Promise<TooWide | undefined> {
  if (folder === '/') return 'machine';
  const home = os.homedir();
  return folder === (await realpath(home).catch(() => home)) ? 'home' : undefined;
}
