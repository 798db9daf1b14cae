import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { Files } from '../common/ports.ts';
import type { ProviderName, SnapshotProvider } from '../common/provider.ts';
import { selectProvider, type Refusal, type Selection } from '../common/select.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import { noteWorkspace } from './keptWorkspaces.ts';
import { detectorsFor, gitStorage, type DetectedFolder } from './snapshotDetectors.ts';

/**
 * Tries every provider in the folder. Dispose of the one that is returned.
 * @param knownAs where the folder was when its snapshots were taken, if it has moved since
 */
export async function findSnapshotProvider(folder: string, knownAs?: string): Promise<Selection> {
  return selectProvider(detectorsFor(await present(folder, knownAs)));
}

/**
 * The one that works in the folder. @throws UserError that says why none does
 * @param keptWith has snapshots of this folder, and so need not try whether it can: on a full disk it could not
 */
export async function openSnapshotProvider(
  workspace: string,
  knownAs?: string,
  keptWith?: ProviderName,
): Promise<SnapshotProvider> {
  if (keptWith !== undefined) {
    const proven = { ...(await present(workspace, knownAs)), isProven: true };
    const { provider } = await selectProvider(detectorsFor(proven), [keptWith]);
    if (provider) return noted(provider);
  }
  return noted(theOne(await findSnapshotProvider(workspace, knownAs)));
}

/** The one that works in the folder, for whoever takes many and has a faster way to look at files. @throws UserError */
export async function openRecordersProvider(
  workspace: string,
  files: Files,
): Promise<SnapshotProvider> {
  return noted(theOne(await selectProvider(detectorsFor(await present(workspace), files))));
}

function theOne({ provider, refusals }: Selection): SnapshotProvider {
  if (provider) return provider;
  throw new UserError('no-provider', refusals.at(-1)?.reason ?? 'There is no provider.');
}

/** Whoever may take snapshots has said before of which folder: they are found when their session is gone. */
async function noted(provider: SnapshotProvider): Promise<SnapshotProvider> {
  await noteWorkspace(provider.workspace);
  return provider;
}

async function present(folder: string, knownAs?: string): Promise<DetectedFolder> {
  const workspace = await realPlace(folder);
  return { workspace, name: knownAs === undefined ? workspace : await formerPath(knownAs) };
}

export interface AllProviders {
  readonly providers: SnapshotProvider[];
  readonly refusals: Refusal[];
}

/**
 * Every provider that may hold snapshots of the folder, whichever is the first choice now, and why the others do not. Dispose of
 * all of them.
 * @param standIn an empty folder, for the store of a workspace that is gone
 */
export async function allSnapshotProviders(folder: string, standIn: string): Promise<AllProviders> {
  const workspace = await nodeFiles.realPath(folder).catch(() => undefined);
  const isGone = workspace === undefined;
  const knownAs = workspace ?? (await formerPath(folder));
  const detectors = detectorsFor({ workspace: workspace ?? standIn, name: knownAs });
  const storage = gitStorage(knownAs);
  const order: ProviderName[] = isGone ? [] : ['zfs', 'btrfs'];
  if (await nodeFiles.canRead(path.join(storage, 'store.git'))) order.push('git');
  const all: AllProviders = { providers: [], refusals: [] };
  for (const name of order) {
    const { provider, refusals } = await selectProvider(detectors, [name]);
    if (provider) all.providers.push(provider);
    all.refusals.push(...refusals);
  }
  return all;
}

/** @throws UserError when it is gone */
async function realPlace(folder: string): Promise<string> {
  try {
    return await nodeFiles.realPath(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new UserError('no-workspace', `${folder} is not there any more.`, { cause: error });
  }
}

/** Removes all snapshots of a folder that is about to go, and what they were kept in. */
export async function forgetSnapshots(folder: string): Promise<void> {
  const { provider } = await findSnapshotProvider(folder);
  if (!provider) return;
  try {
    // Removing them one by one would make the store fit for the next.
    if (provider.releaseExternalRefs) await provider.releaseExternalRefs();
    else await provider.remove(await provider.list());
  } finally {
    provider.dispose();
  }
  if (provider.name !== 'git') return;
  await nodeFiles.removeTree(gitStorage(await nodeFiles.realPath(folder)));
}

/** Its real path, when it is gone but the folder that it was in may not be. */
async function formerPath(folder: string): Promise<string> {
  const parent = await nodeFiles.realPath(path.dirname(folder)).catch(() => path.dirname(folder));
  return path.join(parent, path.basename(folder));
}
