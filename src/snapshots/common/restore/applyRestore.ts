import { areEqualBytes } from '../../../base/bytes.ts';
import { errorCode, messageOf } from '../../../base/errors.ts';
import { statIfThere } from '../folders.ts';
import { pathFromBytes, pathToBytes } from '../pathBytes.ts';
import type { FileStat, Files } from '../ports.ts';
import { permissionChange, type SnapshotTree, type TreeStat } from '../provider.ts';
import type { RestoreStep } from './restoreSteps.ts';

const EXECUTABLE = 0o111;
/** Owners keep full access to folders: without it, files in them can't be created or removed. */
const OWNER_MAY_ALL = 0o700;

export interface RestoreResult {
  readonly done: readonly RestoreStep[];
  /** Steps that were not done, with the reason, for the user to look at. */
  readonly skipped: readonly { readonly step: RestoreStep; readonly reason: string }[];
}

export interface RestoreParts {
  readonly workspace: string;
  readonly files: Files;
  /** The folder for drafts of new files. Default: beside the files. */
  readonly drafts?: string | undefined;
  /** The snapshot taken just before the restore: only files in it are replaced or deleted. */
  readonly present: SnapshotTree;
  readonly target: SnapshotTree;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** {@link RestoreParts} and the paths that this restore has removed. */
interface Work extends RestoreParts {
  readonly removed: Set<string>;
}

/**
 * Restores files. Deletions come first, so that a file can replace a folder; folder permissions
 * come last, because they may forbid writing. A file that differs from the present snapshot was
 * changed meanwhile and is skipped. If the restore is aborted, completed steps are not undone.
 */
export async function applyRestore(
  steps: readonly RestoreStep[],
  parts: RestoreParts,
): Promise<RestoreResult> {
  const done: RestoreStep[] = [];
  const skipped: { step: RestoreStep; reason: string }[] = [];
  const deletions = steps.filter(({ kind }) => kind === 'delete').reverse();
  const permissions = steps.filter(isFolderChange).reverse();
  const others = steps.filter((step) => step.kind !== 'delete' && !isFolderChange(step));
  const ordered = [...deletions, ...others, ...permissions];
  const work = { ...parts, removed: new Set<string>() };
  for (const [index, step] of ordered.entries()) {
    if (parts.signal.aborted) break;
    const reason = await applyStep(step, work);
    if (reason === undefined) done.push(step);
    else skipped.push({ step, reason });
    parts.onProgress?.(index + 1, ordered.length);
  }
  return { done, skipped };
}

function isFolderChange({ kind, isFolder }: RestoreStep): boolean {
  return kind === 'change' && isFolder === true;
}

/** @returns the reason if the step was skipped */
async function applyStep(step: RestoreStep, parts: Work): Promise<string | undefined> {
  const file = `${parts.workspace}/${step.path}`;
  try {
    const obstacle = await unsafeParent(step.path, parts);
    if (obstacle) return `${obstacle} is no longer a folder.`;
    const comparison = await compareOnDisk(step, file, parts);
    if (comparison === MATCHES_TARGET) return undefined;
    if (comparison !== MATCHES_PRESENT) return comparison;
    if (step.kind === 'delete') await deleteFile(step.path, file, parts);
    else if (isFolderChange(step)) await setFolderMode(step.path, file, parts);
    else if (step.isFolder) await makeFolders(step.path, parts);
    else await writeFile(step.path, file, parts);
    return undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOTEMPTY') return 'The folder is not empty.';
    return messageOf(error);
  }
}

/** Finds a parent that is no longer a folder, because a link could lead out of the workspace. */
async function unsafeParent(
  path: string,
  { workspace, files }: RestoreParts,
): Promise<string | undefined> {
  const names = path.split('/').slice(0, -1);
  for (let count = 1; count <= names.length; count++) {
    const parent = names.slice(0, count).join('/');
    const found = await statIfThere(files, `${workspace}/${parent}`);
    if (!found) return undefined;
    if (found.kind !== 'folder') return parent;
  }
  return undefined;
}

const SPECIAL = 'Pipes, sockets and devices are neither created nor removed.';
const MATCHES_PRESENT = Symbol('the path is as in the present snapshot');
const MATCHES_TARGET = Symbol('the path is already as in the target snapshot');

/**
 * Compares the path on disk with both snapshots.
 * @returns which snapshot it equals, or the reason why it must not be replaced or deleted
 */
async function compareOnDisk(
  step: RestoreStep,
  file: string,
  parts: Work,
): Promise<typeof MATCHES_PRESENT | typeof MATCHES_TARGET | string> {
  const { path } = step;
  const onDisk = await statIfThere(parts.files, file);
  if (!onDisk && parts.removed.has(path)) return MATCHES_PRESENT;
  const wantedKind = step.kind === 'delete' ? undefined : (await parts.target.stat(path)).kind;
  // Undo could not recreate a pipe, socket or device.
  if ([onDisk?.kind, wantedKind].includes('other')) return SPECIAL;
  if (isFolderChange(step)) return compareFolder(step, onDisk);
  if (await isAsIn(parts.present, path, file, onDisk, parts.files)) return MATCHES_PRESENT;
  if (step.kind !== 'delete' && (await isAsIn(parts.target, path, file, onDisk, parts.files)))
    return MATCHES_TARGET;
  const isKnown = await parts.present.stat(path).then(
    () => true,
    () => false,
  );
  // The path is ignored, or it was created after the present snapshot was taken.
  if ((onDisk && !isKnown) || (await parts.present.mayLack(path)))
    return 'The current file is not in any snapshot, so it was not replaced.';
  return 'It has changed since the restore was planned.';
}

async function isAsIn(
  tree: SnapshotTree,
  path: string,
  file: string,
  onDisk: FileStat | undefined,
  files: Files,
): Promise<boolean> {
  const known = await tree.stat(path).catch(() => undefined); // Not in the snapshot.
  if (!onDisk || !known) return onDisk === undefined && known === undefined;
  if (onDisk.kind !== known.kind) return false;
  if (onDisk.kind === 'folder') return true;
  if (onDisk.kind === 'symlink')
    return areEqualBytes(pathToBytes(await files.readLink(file)), await tree.read(path));
  if (onDisk.size !== known.size || !hasSamePermissions(onDisk, known)) return false;
  if (tree.folder !== undefined) return files.areEqual(file, `${tree.folder}/${path}`);
  return areEqualBytes(await files.read(file), await tree.read(path));
}

/** Compares only the permissions that the snapshot has. */
function hasSamePermissions({ mode }: FileStat, known: TreeStat): boolean {
  if (known.mode !== undefined) return permissionChange(mode, known.mode) === undefined;
  return known.isExecutable === ((mode & EXECUTABLE) !== 0);
}

function compareFolder(
  { permissions }: RestoreStep,
  onDisk: FileStat | undefined,
): typeof MATCHES_PRESENT | typeof MATCHES_TARGET | string {
  const isNow = (mode: number | undefined): boolean =>
    onDisk?.kind === 'folder' &&
    mode !== undefined &&
    permissionChange(onDisk.mode | OWNER_MAY_ALL, mode | OWNER_MAY_ALL) === undefined;
  if (isNow(permissions?.before)) return MATCHES_PRESENT;
  return isNow(permissions?.after)
    ? MATCHES_TARGET
    : 'It has changed since the restore was planned.';
}

async function deleteFile(
  path: string,
  file: string,
  { workspace, files, target, removed }: Work,
): Promise<void> {
  await files.remove(file);
  removed.add(path);
  // Also remove parent folders that are now empty and are not in the target.
  const names = path.split('/').slice(0, -1);
  for (; names.length > 0; names.pop()) {
    const folder = names.join('/');
    const isWanted = await target.stat(folder).then(
      ({ kind }) => kind === 'folder',
      () => false,
    );
    if (isWanted) return;
    try {
      await files.remove(`${workspace}/${folder}`);
    } catch {
      return; // The folder is not empty.
    }
    removed.add(folder);
  }
}

const USUAL_MODE = 0o644;
const USUAL_FOLDER_MODE = 0o755;

/** Creates missing folders of the path, with the permissions that they had. */
async function makeFolders(
  path: string,
  { workspace, files, target }: RestoreParts,
): Promise<void> {
  const names = path === '' ? [] : path.split('/');
  for (let count = 1; count <= names.length; count++) {
    const folder = names.slice(0, count).join('/');
    const place = `${workspace}/${folder}`;
    if (await statIfThere(files, place)) continue;
    // Untested: a folder that the target does not have gets the usual permissions.
    const wanted = await target.stat(folder).catch(() => undefined);
    await files.makeFolder(place);
    await files.setMode(place, wanted?.mode ?? USUAL_FOLDER_MODE);
  }
}

async function setFolderMode(
  path: string,
  folder: string,
  { files, target }: RestoreParts,
): Promise<void> {
  const { mode } = await target.stat(path);
  if (mode !== undefined) await files.setMode(folder, mode);
}

async function writeFile(path: string, file: string, parts: RestoreParts): Promise<void> {
  const { files, target, drafts } = parts;
  const wanted = await target.stat(path);
  const before = await statIfThere(files, file);
  const mode = wanted.mode ?? keptMode(before, wanted.isExecutable);
  // Read the content before anything is removed.
  const content = isCopied(target, wanted) ? undefined : await target.read(path);
  await makeFolders(path.split('/').slice(0, -1).join('/'), parts);
  if (before && before.kind !== wanted.kind) await files.remove(file);
  if (content === undefined) await files.copy(`${target.folder}/${path}`, file, mode, drafts);
  else if (wanted.kind !== 'symlink') await files.write(file, content, mode, drafts);
  else {
    if (before?.kind === 'symlink') await files.remove(file);
    await files.link(pathFromBytes(content), file);
  }
}

/** If the snapshot is a folder on disk, its files are copied without being read into memory. */
function isCopied({ folder }: SnapshotTree, { kind }: TreeStat): boolean {
  return folder !== undefined && kind === 'file';
}

/** Keeps the file's other permissions if the snapshot has only the executable bit. */
function keptMode(before: FileStat | undefined, isExecutable: boolean): number {
  const mode = before?.kind === 'file' ? before.mode & 0o777 : USUAL_MODE;
  return isExecutable ? mode | EXECUTABLE : mode & ~EXECUTABLE;
}
