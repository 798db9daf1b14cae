import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { PROVIDER_ORDER, type ProviderName, type SnapshotProvider } from '../common/provider.ts';
import { selectProvider } from '../common/select.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import { detectorsFor, gitStorage, snapshotsFolder } from './snapshotDetectors.ts';
import type { AllProviders } from './snapshotProviders.ts';
import { workspacePlace } from './workspacePlace.ts';

/**
 * All that hold snapshots of a folder, whichever is the first choice now, for whoever lists, weighs and removes them: no more
 * than that is tried, so that it works on a full disk, and for a folder that is gone. Dispose of all of them.
 */
export async function openKeptProviders(folder: string): Promise<AllProviders> {
  const workspace = await workspacePlace(folder);
  const isThere = await nodeFiles.stat(workspace).then(
    () => true,
    () => false,
  );
  const standIn = path.join(snapshotsFolder(), 'no-workspace');
  if (!isThere) await nodeFiles.makeFolder(standIn);
  const detectors = detectorsFor({
    ...{ workspace, name: workspace, isOnlyKept: true },
    ...(!isThere && { standIn }),
  });
  const hasGit = await nodeFiles.canRead(path.join(gitStorage(workspace), 'store.git'));
  const all: AllProviders = { providers: [], refusals: [] };
  for (const name of PROVIDER_ORDER) {
    if (name === 'git' && !hasGit) continue;
    const { provider, refusals } = await selectProvider(detectors, [name]);
    if (provider) all.providers.push(provider);
    all.refusals.push(...refusals);
  }
  return all;
}

/**
 * The one that holds snapshots of a folder that is gone, to read them. Dispose of it.
 * @param keptWith who is said to hold them
 * @throws UserError when it is not to be had
 */
export async function openKeeperOfGone(
  folder: string,
  keptWith: ProviderName | undefined,
): Promise<SnapshotProvider> {
  const { providers } = await openKeptProviders(folder);
  const keeper = providers.find(({ name }) => name === keptWith) ?? providers[0];
  for (const other of providers) if (other !== keeper) other.dispose();
  if (keeper) return keeper;
  throw new UserError('no-workspace', `${folder} is not there any more.`);
}
