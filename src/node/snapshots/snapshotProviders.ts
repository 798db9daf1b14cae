import os from 'node:os';
import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Files } from '../../snapshots/ports.ts';
import type { Detection, ProviderName, SnapshotProvider } from '../../snapshots/provider.ts';
import { detectBtrfs } from '../../snapshots/providers/btrfs/detectBtrfs.ts';
import { openGitProvider } from '../../snapshots/providers/git/openGitProvider.ts';
import { workspaceKey } from '../../snapshots/providers/volume/workspaceKey.ts';
import { detectZfs } from '../../snapshots/providers/zfs/detectZfs.ts';
import {
  selectProvider,
  type Detectors,
  type Refusal,
  type Selection,
} from '../../snapshots/select.ts';
import { nodeExec, nodeStart } from '../processes/exec.ts';
import { nodeFiles } from '../files/files.ts';
import { nodeObjectCoding } from './objectCoding.ts';
import { dataFolder } from '../paths.ts';
import { nodeProcesses } from '../processes/processes.ts';
import { SystemClock } from '../systemClock.ts';

/**
 * Tries every provider in the folder. Dispose of the one that is returned.
 * @param knownAs where the folder was when its snapshots were taken, if it has moved since
 */
export async function findSnapshotProvider(folder: string, knownAs?: string): Promise<Selection> {
  return selectProvider(await detectorsFor(folder, knownAs, false));
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
    const { provider } = await selectProvider(await detectorsFor(workspace, knownAs, true), [
      keptWith,
    ]);
    if (provider) return provider;
  }
  return theOne(await findSnapshotProvider(workspace, knownAs));
}

/** The one that works in the folder, for whoever takes many and has a faster way to look at files. @throws UserError */
export async function openRecordersProvider(
  workspace: string,
  files: Files,
): Promise<SnapshotProvider> {
  return theOne(await selectProvider(await detectorsFor(workspace, undefined, false, files)));
}

function theOne({ provider, refusals }: Selection): SnapshotProvider {
  if (provider) return provider;
  throw new UserError('no-provider', refusals.at(-1)?.reason ?? 'There is no provider.');
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
  const detectors = await detectorsFor(workspace ?? standIn, isGone ? folder : undefined, false);
  const storage = gitStorage(workspace ?? (await formerPath(folder)));
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

/**
 * The one that holds snapshots of a folder that is gone, as far as they are not gone with it. Dispose of it.
 * @throws UserError when there is none
 */
export async function openProviderOfGone(folder: string): Promise<SnapshotProvider> {
  const standIn = path.join(dataFolder(), 'snapshots', 'no-workspace');
  await nodeFiles.makeFolder(standIn);
  const [provider] = (await allSnapshotProviders(folder, standIn)).providers;
  if (provider) return provider;
  throw new UserError('no-workspace', `${folder} is not there any more.`);
}

function gitStorage(workspace: string): string {
  return path.join(dataFolder(), 'snapshots', workspaceKey(workspace));
}

async function detectorsFor(
  folder: string,
  knownAs: string | undefined,
  isProven: boolean,
  files: Files = nodeFiles,
): Promise<Detectors> {
  const workspace = await nodeFiles.realPath(folder);
  const name = knownAs === undefined ? workspace : await formerPath(knownAs);
  const privateFolder = path.join(dataFolder(), 'snapshots');
  const options = { workspace, exec: nodeExec, files, privateFolder, isProven };
  return {
    zfs: () => detectZfs(options),
    btrfs: () => detectBtrfs(options),
    git: () => detectGit(workspace, gitStorage(name), files),
  };
}

/** Removes all snapshots of a folder that is about to go, and what they were kept in. */
export async function forgetSnapshots(folder: string): Promise<void> {
  const { provider } = await findSnapshotProvider(folder);
  if (!provider) return;
  try {
    // Removing them one by one would make the store fit for the next.
    if (provider.letGo) await provider.letGo();
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

function usualExcludes(): string {
  const { XDG_CONFIG_HOME, HOME } = process.env;
  return path.join(XDG_CONFIG_HOME || path.join(HOME ?? os.homedir(), '.config'), 'git/ignore');
}

async function detectGit(workspace: string, storage: string, files: Files): Promise<Detection> {
  try {
    const provider = await openGitProvider({
      ...{ workspace, exec: nodeExec, start: nodeStart, files },
      ...{ coding: nodeObjectCoding, processes: nodeProcesses, clock: new SystemClock() },
      ...{ storage, home: os.homedir(), usualExcludes: usualExcludes() },
    });
    return { provider };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { refusal: messageOf(error) };
  }
}
