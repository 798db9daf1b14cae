import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { Files } from '../../common/ports.ts';
import { PROVIDER_ORDER, type ProviderName, type SnapshotProvider } from '../../common/provider.ts';
import { selectProvider, type Refusal, type Selection } from '../../common/selectProvider.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import { noteWorkspace } from './knownWorkspaces.ts';
import {
  detectorsFor,
  hasGitStorage,
  snapshotsFolder,
  type DetectedFolder,
} from './providerDetectors.ts';
import { workspacePlace } from './workspacePlace.ts';

export interface OpenOptions {
  /** Where the workspace was when its snapshots were taken, if it has moved since. */
  readonly knownAs?: string | undefined;
  /**
   * The provider of existing snapshots. It is opened without a trial snapshot, which would fail on
   * a full disk.
   */
  readonly keptWith?: ProviderName | undefined;
  /** A faster implementation for callers that take many snapshots. */
  readonly files?: Files;
}

/** Tries every provider in the folder. Dispose of the selected one. */
export async function selectSnapshotProvider(folder: string): Promise<Selection> {
  return selectProvider(detectorsFor(await presentFolder(folder)));
}

/**
 * Opens the provider that takes snapshots of a workspace. Dispose of it.
 * @throws UserError with the reason if none works
 */
export async function openSnapshotProvider(
  workspace: string,
  { knownAs, keptWith, files }: OpenOptions = {},
): Promise<SnapshotProvider> {
  const folder = await presentFolder(workspace, knownAs);
  const known = keptWith && (await knownProvider(folder, keptWith, files));
  const provider = known ?? (await bestProvider(folder, files));
  // Noted before the first snapshot, so that pruning finds the workspace even without sessions.
  await noteWorkspace(provider.workspace);
  return provider;
}

async function knownProvider(
  folder: DetectedFolder,
  keptWith: ProviderName,
  files?: Files,
): Promise<SnapshotProvider | undefined> {
  const detectors = detectorsFor({ ...folder, hasSnapshots: true }, files);
  return (await selectProvider(detectors, [keptWith])).provider;
}

async function bestProvider(folder: DetectedFolder, files?: Files): Promise<SnapshotProvider> {
  const { provider, refusals } = await selectProvider(detectorsFor(folder, files));
  if (provider) return provider;
  throw new UserError(
    'no-provider',
    refusals.at(-1)?.reason ?? 'No way to store snapshots works here.',
  );
}

/**
 * Opens the provider that has the snapshots of a folder that is gone, to read them. Dispose of it.
 * @param keptWith the provider that should have them
 * @throws UserError if none is available
 */
export async function openProviderOfMissingFolder(
  folder: string,
  keptWith: ProviderName | undefined,
): Promise<SnapshotProvider> {
  const { providers } = await openExistingProviders(folder);
  const wanted = providers.find(({ name }) => name === keptWith) ?? providers[0];
  for (const other of providers) if (other !== wanted) other.dispose();
  if (wanted) return wanted;
  throw missing(folder);
}

/** Every provider with snapshots of a folder, and why the others were refused. */
export interface OpenedProviders {
  readonly providers: SnapshotProvider[];
  readonly refusals: Refusal[];
}

/**
 * Opens every provider that has snapshots of a folder, to list, measure and remove them. Takes no
 * trial snapshots, so that it works on a full disk and for a folder that is gone. Dispose of all
 * providers.
 */
export async function openExistingProviders(folder: string): Promise<OpenedProviders> {
  const workspace = await workspacePlace(folder);
  const emptyFolder = await emptyFolderFor(workspace);
  const detected = { workspace, storedAs: workspace, isExistingOnly: true };
  return openEach(emptyFolder ? { ...detected, emptyFolder } : detected, PROVIDER_ORDER);
}

/**
 * Like {@link openExistingProviders}, but takes trial snapshots, because the snapshots will be
 * rewritten. If the folder is gone, only its git snapshots can be rewritten.
 */
export async function openRewritingProviders(folder: string): Promise<OpenedProviders> {
  const storedAs = await workspacePlace(folder);
  const emptyFolder = await emptyFolderFor(storedAs);
  const order = emptyFolder === undefined ? PROVIDER_ORDER : (['git'] as const);
  return openEach({ workspace: emptyFolder ?? storedAs, storedAs }, order);
}

async function openEach(
  folder: DetectedFolder,
  order: readonly ProviderName[],
): Promise<OpenedProviders> {
  const detectors = detectorsFor(folder);
  const hasGit = await hasGitStorage(folder.storedAs);
  const opened: OpenedProviders = { providers: [], refusals: [] };
  for (const name of order) {
    if (name === 'git' && !hasGit) continue;
    const { provider, refusals } = await selectProvider(detectors, [name]);
    if (provider) opened.providers.push(provider);
    opened.refusals.push(...refusals);
  }
  return opened;
}

/** Creates the empty folder that stands in for a workspace that is gone. */
async function emptyFolderFor(workspace: string): Promise<string | undefined> {
  const isPresent = await nodeFiles.stat(workspace).then(
    () => true,
    () => false,
  );
  if (isPresent) return undefined;
  const folder = path.join(snapshotsFolder(), 'no-workspace');
  await nodeFiles.makeFolder(folder);
  return folder;
}

/** @throws UserError if the folder is gone */
async function presentFolder(folder: string, knownAs?: string): Promise<DetectedFolder> {
  const workspace = await realFolder(folder);
  return { workspace, storedAs: knownAs === undefined ? workspace : await formerPath(knownAs) };
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await nodeFiles.realPath(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw missing(folder, error);
  }
}

/**
 * Returns the real path that a folder had before it was moved. The last part is not resolved: it
 * may now be a link to the new place.
 */
async function formerPath(folder: string): Promise<string> {
  const parent = await workspacePlace(path.dirname(folder));
  return path.join(parent, path.basename(folder));
}

function missing(folder: string, cause?: unknown): UserError {
  return new UserError('no-workspace', `${folder} no longer exists.`, { cause });
}
