import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isWithin } from '../../../platform/node/files/isWithin.ts';

/** Maps absolute paths of an original folder to the branch that is a copy of it. */
export class CopiedFolder {
  /** The whole copy, which may contain more than the workspace. */
  readonly place: string;
  readonly workspace: string;
  /** All known paths of the original folder, real paths included. */
  readonly #originals: readonly string[];

  /**
   * @param destination the copy, or a link to it
   * @param workspace workspace of the copy
   * @param originals paths of the original workspace
   */
  constructor(destination: string, workspace: string, originals: readonly string[]) {
    this.place = realPathOf(destination);
    this.workspace = realPathOf(workspace);
    const within = path.relative(this.place, this.workspace);
    const names = new Set(originals.flatMap((name) => [path.resolve(name), realPathOf(name)]));
    this.#originals = [...names].flatMap((name) => withoutEnd(name, within) ?? []);
  }

  /** Maps a path of the copy or the original to the copy; undefined for a path elsewhere. */
  counterpartOf(file: string): string | undefined {
    const real = realPathOf(file);
    // Check this first, because the copy of a whole volume may be inside the original.
    if (isWithin(this.place, real)) return real;
    const original = this.#originals.find((folder) => isWithin(folder, real));
    if (original === undefined) return undefined;
    // A link in the copy may lead out of the copy again.
    const counterpart = realPathOf(path.join(this.place, path.relative(original, real)));
    return isWithin(this.place, counterpart) ? counterpart : undefined;
  }
}

/** Resolves all links; returns the absolute path when the file does not exist. */
export function realPathOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // The file is missing, or in a folder that this process may not enter: only the given path is
    // known.
    return path.resolve(file);
  }
}

function withoutEnd(folder: string, end: string): string | undefined {
  if (end === '') return folder;
  return folder.endsWith(`/${end}`) ? folder.slice(0, -end.length - 1) || '/' : undefined;
}
