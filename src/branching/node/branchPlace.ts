import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import { dataFolder } from '../../platform/node/paths.ts';

/**
 * Where a branch goes unless told: beside the workspace, where what it refers to above itself is the same, its files can share
 * blocks with the original's, and an editor that trusts the folder above trusts it too. In our own folder where that cannot
 * be, or would be inside of another repository.
 */
export function defaultPlace(workspace: string, name: string): string {
  const parent = path.dirname(workspace);
  const beside = path.join(parent, `${path.basename(workspace)}.branches`, name);
  if (canWrite(parent) && !isInRepository(parent)) return beside;
  return path.join(dataFolder(), 'branch-folders', path.basename(workspace), name);
}

export interface PlaceNeighbours {
  /** What the branch is made of. */
  readonly workspace: string;
  /** The folders of the branches that there are. */
  readonly branches: readonly string[];
}

/** @throws UserError for a place that cannot be */
export function checkPlace(destination: string, { workspace, branches }: PlaceNeighbours): void {
  if (isThere(destination)) {
    throw new UserError(
      'destination-exists',
      `${destination} exists already; choose another name or place.`,
    );
  }
  // By whatever links it is said.
  const place = placeToBe(destination);
  if (isWithin(placeToBe(workspace), place)) {
    throw new UserError(
      'bad-argument',
      `${destination} is inside the workspace that the branch is made of.`,
    );
  }
  const other = branches.find((branch) => isWithin(realOf(branch), place));
  if (other !== undefined) {
    throw new UserError(
      'bad-argument',
      `${destination} is inside the branch in ${other}, and would go with it.`,
    );
  }
}

/** Also a link that leads nowhere. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // What is said to be below a file is not there.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw placeError(file, error);
  }
}

/** The real path of what may not be there yet. @throws UserError when it cannot be */
function placeToBe(file: string): string {
  const missing: string[] = [];
  let above = path.resolve(file);
  for (; !isThere(above); above = path.dirname(above)) missing.unshift(path.basename(above));
  try {
    if (missing.length > 0 && !statSync(above).isDirectory()) {
      throw new UserError('bad-argument', `${above} is no folder: ${file} cannot be in it.`);
    }
    return path.join(realpathSync(above), ...missing);
  } catch (error) {
    throw placeError(file, error);
  }
}

/** Of a folder that may be gone. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function placeError(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENAMETOOLONG') {
    return new UserError('bad-argument', `${file} is too long for a path.`, { cause: error });
  }
  if (code === 'EACCES') {
    return new UserError('no-permission', `${file} cannot be reached.`, { cause: error });
  }
  if (code === 'ENOENT' || code === 'ELOOP') {
    const text = `A link on the way to ${file} leads nowhere.`;
    return new UserError('bad-argument', text, { cause: error });
  }
  return error;
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isInRepository(folder: string): boolean {
  for (let above = folder; ; above = path.dirname(above)) {
    if (existsSync(path.join(above, '.git'))) return true;
    if (above === path.dirname(above)) return false;
  }
}
