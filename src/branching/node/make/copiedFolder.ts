import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isWithin } from '../../../platform/node/files/isWithin.ts';

/** A branch as a copy of a folder: what the original says of itself by absolute paths has a counterpart in it. */
export class CopiedFolder {
  /** All of the copy, which may hold more than the workspace. */
  readonly place: string;
  readonly workspace: string;
  /** What the copy is of, by all the names it has. */
  readonly #originals: readonly string[];

  /**
   * @param destination the copy, or a link to it
   * @param workspace in the copy
   * @param originals names of the workspace that it is a copy of
   */
  constructor(destination: string, workspace: string, originals: readonly string[]) {
    this.place = realPathOf(destination);
    this.workspace = realPathOf(workspace);
    const within = path.relative(this.place, this.workspace);
    const names = new Set(originals.flatMap((name) => [path.resolve(name), realPathOf(name)]));
    this.#originals = [...names].flatMap((name) => withoutEnd(name, within) ?? []);
  }

  /** Where something of the copy, or of the original, is in the copy; undefined for what is elsewhere. */
  counterpartOf(file: string): string | undefined {
    const real = realPathOf(file);
    // First of all: of a whole volume, the copy may be inside of the original.
    if (isWithin(this.place, real)) return real;
    const original = this.#originals.find((folder) => isWithin(folder, real));
    if (original === undefined) return undefined;
    // A link may lead out of the copy again.
    const counterpart = realPathOf(path.join(this.place, path.relative(original, real)));
    return isWithin(this.place, counterpart) ? counterpart : undefined;
  }
}

/** Every link on the way resolved; as it is when it is not there. */
export function realPathOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.resolve(file);
  }
}

function withoutEnd(folder: string, end: string): string | undefined {
  if (end === '') return folder;
  return folder.endsWith(`/${end}`) ? folder.slice(0, -end.length - 1) || '/' : undefined;
}
