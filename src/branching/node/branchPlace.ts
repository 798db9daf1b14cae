import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorCode, UserError } from '../../base/errors.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import { dataFolder } from '../../platform/node/paths.ts';

/**
 * The default folder of a branch. Beside the workspace, relative paths to parent folders keep
 * working, files can share blocks with the original's, and the editor trusts the branch if it
 * trusts the parent folder. If the parent is not writable or is part of a repository, the branch
 * goes into AH's data folder.
 */
export function defaultPlace(workspace: string, name: string): string {
  const parent = path.dirname(workspace);
  const beside = path.join(parent, `${path.basename(workspace)}.branches`, name);
  if (canWrite(parent) && !isInRepository(parent)) return beside;
  return path.join(dataFolder(), 'branch-folders', path.basename(workspace), name);
}

export interface PlaceNeighbours {
  /** The original workspace. */
  readonly workspace: string;
  /** Folders of all existing branches. */
  readonly branches: readonly string[];
}

/** @throws UserError when a branch can't be created in this folder */
export function checkPlace(destination: string, { workspace, branches }: PlaceNeighbours): void {
  if (pathExists(destination)) {
    throw new UserError(
      'destination-exists',
      `${destination} exists already. Choose another name or folder.`,
    );
  }
  // Compare real paths, because the given paths may contain links.
  const place = placeToBe(destination);
  if (isWithin(placeToBe(workspace), place)) {
    throw new UserError(
      'bad-argument',
      `${destination} is inside the original workspace. Choose a folder outside of it.`,
    );
  }
  const other = branches.find((branch) => isWithin(realOf(branch), place));
  if (other !== undefined) {
    throw new UserError(
      'bad-argument',
      `${destination} is inside the branch ${other} and would be removed with it. Choose another folder.`,
    );
  }
}

/** Whether anything exists at the path, even a broken link. */
export function pathExists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A part of the path above the last name is a file.
    if (errorCode(error) === 'ENOTDIR') return false;
    throw placeError(file, error);
  }
}

/** The real path of a file that may not exist yet. @throws UserError when it can't be created */
function placeToBe(file: string): string {
  const missing: string[] = [];
  let above = path.resolve(file);
  for (; !pathExists(above); above = path.dirname(above)) missing.unshift(path.basename(above));
  try {
    if (missing.length > 0 && !statSync(above).isDirectory()) {
      throw new UserError('bad-argument', `Can't create ${file}: ${above} is not a folder.`);
    }
    return path.join(realpathSync(above), ...missing);
  } catch (error) {
    throw placeError(file, error);
  }
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // The folder no longer exists.
  }
}

function placeError(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENAMETOOLONG') {
    return new UserError('bad-argument', `The path ${file} is too long.`, { cause: error });
  }
  if (code === 'EACCES') {
    const text = `No permission to access ${file}.`;
    return new UserError('no-permission', text, { cause: error });
  }
  if (code === 'ENOENT' || code === 'ELOOP') {
    const text = `The path ${file} contains a broken link.`;
    return new UserError('bad-argument', text, { cause: error });
  }
  return error;
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false; // The folder is missing, or read-only.
  }
}

function isInRepository(folder: string): boolean {
  for (let above = folder; ; above = path.dirname(above)) {
    if (existsSync(path.join(above, '.git'))) return true;
    if (above === path.dirname(above)) return false;
  }
}
