import { pathFromBytes, pathToBytes } from './pathBytes.ts';
import type { FileStat, Files } from './ports.ts';
import { permissionChange, type SnapshotTree, type TreeStat } from './provider.ts';
import type { RestoreStep } from './restoreSteps.ts';

const EXECUTABLE = 0o111;
/** What git keeps of a folder has these, or it could neither be filled nor be removed. */
const OWNER_MAY_ALL = 0o700;

export interface RestoreResult {
  readonly done: readonly RestoreStep[];
  /** Left as they are, and why; a person has to look at them. */
  readonly skipped: readonly { readonly step: RestoreStep; readonly reason: string }[];
}

export interface RestoreParts {
  readonly workspace: string;
  readonly files: Files;
  /** Where files are made before they take their places; beside them without it. */
  readonly drafts?: string | undefined;
  /** The state just before, taken for this: nothing is replaced or deleted that it does not hold. */
  readonly present: SnapshotTree;
  readonly target: SnapshotTree;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** With the places that are free because we made them so. */
interface Work extends RestoreParts {
  readonly removed: Set<string>;
}

/**
 * Makes the files what they were. Deletions go first, so that a file can take the place of a folder; permissions of folders come
 * last, for they may keep us from writing there. A file that is not what the present snapshot says, because somebody changed it
 * meanwhile, is left alone. Stopped half-way, what is done is done.
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

/** @returns why it was not done, if it was not */
async function applyStep(step: RestoreStep, parts: Work): Promise<string | undefined> {
  const file = `${parts.workspace}/${step.path}`;
  try {
    const obstacle = await unsafeParent(step.path, parts);
    if (obstacle) return `${obstacle} is not a folder any more.`;
    const standing = await standingOf(step, file, parts);
    if (standing === AS_WANTED) return undefined;
    if (standing !== AS_KNOWN) return standing;
    if (step.kind === 'delete') await deleteFile(step.path, file, parts);
    else if (isFolderChange(step)) await setFolderMode(step.path, file, parts);
    else if (step.isFolder) await makeFolders(step.path, parts);
    else await writeFile(step.path, file, parts);
    return undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOTEMPTY') return 'It is not empty.';
    return error instanceof Error ? error.message : String(error);
  }
}

/** A link in the way would lead out of the workspace: nothing is written through it. */
async function unsafeParent(
  path: string,
  { workspace, files }: RestoreParts,
): Promise<string | undefined> {
  const names = path.split('/').slice(0, -1);
  for (let count = 1; count <= names.length; count++) {
    const parent = names.slice(0, count).join('/');
    const found = await statOrNothing(files, `${workspace}/${parent}`);
    if (!found) return undefined;
    if (found.kind !== 'folder') return parent;
  }
  return undefined;
}

const SPECIAL = 'A pipe, a socket or a device is neither made nor removed.';
const AS_KNOWN = Symbol('what is there now is in the present state');
const AS_WANTED = Symbol('what is there now is what is wanted');

/** What is there now goes only when the present state has it. @returns the reason why it does not go */
async function standingOf(
  step: RestoreStep,
  file: string,
  parts: Work,
): Promise<typeof AS_KNOWN | typeof AS_WANTED | string> {
  const { path } = step;
  const onDisk = await statOrNothing(parts.files, file);
  if (!onDisk && parts.removed.has(path)) return AS_KNOWN;
  const wantedKind = step.kind === 'delete' ? undefined : (await parts.target.stat(path)).kind;
  // An undo could not bring it back.
  if ([onDisk?.kind, wantedKind].includes('other')) return SPECIAL;
  if (isFolderChange(step)) return folderStanding(step, onDisk);
  if (await isAsIn(parts.present, path, file, onDisk, parts.files)) return AS_KNOWN;
  if (step.kind !== 'delete' && (await isAsIn(parts.target, path, file, onDisk, parts.files)))
    return AS_WANTED;
  const isKnown = await parts.present.stat(path).then(
    () => true,
    () => false,
  );
  // Ignored, or made after the present state was kept.
  if ((onDisk && !isKnown) || (await parts.present.mayLack(path)))
    return 'What is there now is in no snapshot, and stays.';
  return 'It was changed meanwhile.';
}

async function isAsIn(
  tree: SnapshotTree,
  path: string,
  file: string,
  onDisk: FileStat | undefined,
  files: Files,
): Promise<boolean> {
  const known = await tree.stat(path).catch(() => undefined);
  if (!onDisk || !known) return onDisk === undefined && known === undefined;
  if (onDisk.kind !== known.kind) return false;
  if (onDisk.kind === 'folder') return true;
  if (onDisk.kind === 'symlink')
    return isSame(pathToBytes(await files.readLink(file)), await tree.read(path));
  if (onDisk.size !== known.size || !hasSamePermissions(onDisk, known)) return false;
  if (tree.folder !== undefined) return files.areEqual(file, `${tree.folder}/${path}`);
  return isSame(await files.read(file), await tree.read(path));
}

/** As far as they are known. */
function hasSamePermissions({ mode }: FileStat, known: TreeStat): boolean {
  if (known.mode !== undefined) return permissionChange(mode, known.mode) === undefined;
  return known.isExecutable === ((mode & EXECUTABLE) !== 0);
}

function folderStanding(
  { permissions }: RestoreStep,
  onDisk: FileStat | undefined,
): typeof AS_KNOWN | typeof AS_WANTED | string {
  const isNow = (mode: number | undefined): boolean =>
    onDisk?.kind === 'folder' &&
    mode !== undefined &&
    permissionChange(onDisk.mode | OWNER_MAY_ALL, mode | OWNER_MAY_ALL) === undefined;
  if (isNow(permissions?.before)) return AS_KNOWN;
  return isNow(permissions?.after) ? AS_WANTED : 'It was changed meanwhile.';
}

async function deleteFile(
  path: string,
  file: string,
  { workspace, files, target, removed }: Work,
): Promise<void> {
  await files.remove(file);
  removed.add(path);
  // Folders that held nothing else and were not there go too; one that is not empty stays.
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
      return;
    }
    removed.add(folder);
  }
}

const USUAL_MODE = 0o644;
const USUAL_FOLDER_MODE = 0o755;

/** Those that are missing on the way, each as it was. */
async function makeFolders(
  path: string,
  { workspace, files, target }: RestoreParts,
): Promise<void> {
  const names = path === '' ? [] : path.split('/');
  for (let count = 1; count <= names.length; count++) {
    const folder = names.slice(0, count).join('/');
    const place = `${workspace}/${folder}`;
    if (await statOrNothing(files, place)) continue;
    // Untested: such a folder gets the usual permissions.
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
  const before = await statOrNothing(files, file);
  const mode = wanted.mode ?? keptMode(before, wanted.isExecutable);
  // Read before anything is removed.
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

/** Where the state is a folder, its files need not go through memory. */
function isCopied({ folder }: SnapshotTree, { kind }: TreeStat): boolean {
  return folder !== undefined && kind === 'file';
}

/** Where the state knows only whether a file can be run, the rest stays. */
function keptMode(before: FileStat | undefined, isExecutable: boolean): number {
  const mode = before?.kind === 'file' ? before.mode & 0o777 : USUAL_MODE;
  return isExecutable ? mode | EXECUTABLE : mode & ~EXECUTABLE;
}

async function statOrNothing(files: Files, path: string): Promise<FileStat | undefined> {
  try {
    return await files.stat(path);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
