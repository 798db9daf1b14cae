import { errorCode, messageOf } from '../../base/errors.ts';
import { hasEscapedBytes } from '../common/pathBytes.ts';
import type { Files } from '../common/ports.ts';
import type { Detection } from '../common/provider.ts';
import type { DetectOptions } from '../volume/detectOptions.ts';
import { mountsOf } from '../volume/mounts.ts';
import { nearestFolder } from '../common/folders.ts';
import { joinPath, parentOf } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import { storageKey } from '../volume/storageKey.ts';
import { BtrfsProvider } from './btrfsProvider.ts';
import { BtrfsTool, SUBVOLUME_INODE } from './btrfsTool.ts';
import { BtrfsStore, STORE_NAME, type Slot } from './store.ts';

/** Detects Btrfs by a trial snapshot: only a trial shows whether this user may take one. */
export async function detectBtrfs(options: DetectOptions): Promise<Detection> {
  const { exec, files, processes, clock, isExistingOnly } = options;
  const workspace = isExistingOnly ? options.workspace : await files.realPath(options.workspace);
  if (hasEscapedBytes(workspace)) {
    return { refusal: 'The folder name is not UTF-8, which the btrfs command does not support.' };
  }
  const { around } = await mountsOf(files, workspace);
  if (around?.type !== 'btrfs') {
    return { refusal: `${workspace} is not on a Btrfs file system.` };
  }
  const tool = await BtrfsTool.find(exec);
  if (tool === undefined) {
    return { refusal: 'The command btrfs is not installed (package btrfs-progs).' };
  }
  const top = await subvolumeOf(files, await nearestFolder(files, workspace));
  if (top === undefined) {
    return {
      refusal: `The top of the Btrfs subvolume that contains ${workspace} can't be accessed.`,
    };
  }
  const { privateFolder } = options;
  const parents = (isExistingOnly ? formerParents : storeParents)(privateFolder, top, workspace);
  const places = parents.map(
    (parent) => new BtrfsStore({ files, tool, clock }, joinPath(parent, STORE_NAME)),
  );
  const providerOf = (stores: BtrfsStore[]): Detection => ({
    provider: new BtrfsProvider({
      exec,
      files,
      processes,
      tool,
      workspace,
      top,
      stores,
      privateFolder,
    }),
  });
  const known = options.hasSnapshots || isExistingOnly ? await storesInUse(files, places) : [];
  if (known.length > 0) return providerOf(known);
  if (isExistingOnly) return { refusal: `There are no Btrfs snapshots of ${workspace}.` };
  const reasons: string[] = [];
  for (const store of places) {
    const probe = store.slotOf(`${storageKey(workspace, privateFolder)}/probe-${randomName()}`);
    const { isFinal, reason } = await tryStore({ tool, files, top, store, probe });
    if (isFinal) return { refusal: reason };
    if (reason === undefined) {
      const others = places.filter((place) => place !== store);
      return providerOf([store, ...(await storesInUse(files, others))]);
    }
    reasons.push(`${parentOf(store.folder)}: ${reason}`);
  }
  return { refusal: `Snapshots of ${top} can't be stored anywhere. ${reasons.join('. ')}.` };
}

/** Selects the stores that exist, for example from a time when another location was preferred. */
async function storesInUse(files: Files, places: readonly BtrfsStore[]): Promise<BtrfsStore[]> {
  const areReadable = await Promise.all(places.map(({ folder }) => files.canRead(folder)));
  return places.filter((_place, number) => areReadable[number]);
}

/**
 * Returns a different name in each process: several processes may take a trial snapshot at once.
 */
function randomName(): string {
  return Math.random().toString(36).slice(2);
}

/** Finds the subvolume that contains the folder; undefined if a mount hides its top. */
async function subvolumeOf(files: Files, workspace: string): Promise<string | undefined> {
  const { device } = await files.stat(workspace);
  for (let folder = workspace; ; folder = parentOf(folder)) {
    const stat = await files.stat(folder);
    if (stat.device !== device) return undefined;
    if (stat.inode === SUBVOLUME_INODE) return folder;
    if (folder === '/') return undefined;
  }
}

/**
 * Lists the folders in which the store can be, best first. None is in the workspace, unless the
 * user's data folder is: our files must not appear among the user's.
 */
function storeParents(privateFolder: string, top: string, workspace: string): string[] {
  const parents = [privateFolder];
  if (top !== '/') parents.push(parentOf(top));
  if (top !== workspace) parents.push(top);
  return parents;
}

/**
 * Lists the folders in which the store of a workspace can be that is gone or was in another
 * subvolume: every folder above the workspace, up to the parent of the present subvolume.
 */
function formerParents(privateFolder: string, top: string, workspace: string): string[] {
  const parents = new Set([privateFolder]);
  for (let folder = workspace; folder !== top && folder !== '/'; folder = parentOf(folder))
    parents.add(parentOf(folder));
  if (top !== '/') parents.add(parentOf(top));
  return [...parents];
}

interface Trial {
  readonly tool: BtrfsTool;
  readonly files: Files;
  readonly top: string;
  readonly store: BtrfsStore;
  /**
   * The slot of the trial snapshot. If the process is killed, pruning finds it like any snapshot.
   */
  readonly probe: Slot;
}

/** If `reason` is undefined, the store works. `isFinal`: no other store would work either. */
type TrialResult =
  | { readonly isFinal: false; readonly reason: string | undefined }
  | { readonly isFinal: true; readonly reason: string };

async function tryStore(trial: Trial): Promise<TrialResult> {
  const { files, store, probe } = trial;
  let isNew = false;
  let result: TrialResult;
  try {
    isNew = await makeStore(trial);
    result = await trySnapshot(trial);
  } catch (error) {
    if (!(error instanceof ToolFailure) && errorCode(error) === undefined) throw error;
    result = { isFinal: false, reason: messageOf(error) };
  }
  // `remove` only deletes empty folders, and empty subvolumes of this user.
  const leftovers = [probe.files, probe.folder, parentOf(probe.folder)];
  if (isNew && result.reason !== undefined) leftovers.push(store.folder);
  for (const folder of leftovers) await files.remove(folder).catch(() => {}); // Not empty, or gone.
  return result;
}

/** Returns false if the store exists, perhaps because another process has just created it. */
async function makeStore({ tool, files, store }: Trial): Promise<boolean> {
  if (await files.canRead(store.folder)) return false;
  await files.makeFolder(parentOf(store.folder));
  try {
    await tool.createSubvolume(store.folder);
    return true;
  } catch (error) {
    if (await files.canRead(store.folder)) return false;
    throw error;
  }
}

async function trySnapshot(trial: Trial): Promise<TrialResult> {
  const { tool, files, top, store, probe } = trial;
  // This also proves that this user owns the store: only the owner can set its mode.
  await files.setMode(store.folder, 0o700);
  await files.makeFolder(probe.folder);
  await tool.createSubvolume(probe.files);
  try {
    await tool.deleteSubvolume(probe.files);
  } catch (error) {
    return {
      isFinal: true,
      reason: `This user may not delete Btrfs snapshots: the file system is mounted without user_subvol_rm_allowed (${messageOf(error)}).`,
    };
  }
  try {
    await tool.snapshot(top, probe.files);
  } catch (error) {
    if (!/not permitted/.test(messageOf(error))) throw error;
    return {
      isFinal: true,
      reason: `Only the owner of the Btrfs subvolume ${top} may take snapshots of it (${messageOf(error)}).`,
    };
  }
  await tool.deleteSubvolume(probe.files);
  return { isFinal: false, reason: undefined };
}
