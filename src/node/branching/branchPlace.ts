import { accessSync, constants, existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { dataFolder } from '../paths.ts';

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

/** @throws UserError for a place that cannot be */
export function checkPlace(destination: string, workspace: string): void {
  if (isThere(destination)) {
    throw new UserError(
      'destination-exists',
      `${destination} exists already; choose another name or place.`,
    );
  }
  const relative = path.relative(workspace, destination);
  if (!relative.startsWith('..') && !path.isAbsolute(relative)) {
    throw new UserError(
      'bad-argument',
      `${destination} is inside the workspace that the branch is made of.`,
    );
  }
}

/** Also a link that leads nowhere. */
export function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
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
