import type { TouchedPath, WrittenRange } from '../volume/listing.ts';
import { joinPath, relativeTo } from '../common/posixPath.ts';
import { RENAME, type SendCommand } from './sendStream.ts';

interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Every path, of the old and of the new tree, that a stream of changes may have touched. A command names a file as it is called
 * at that point of the stream, sometimes by a name for the time being: the renames before it lead back to the old tree's
 * name, those after it on to the new tree's. Too many are harmless, since the trees are compared there; none is left out.
 */
export function touchedPaths(commands: readonly SendCommand[]): TouchedPath[] {
  const renames: Rename[] = [];
  for (const { kind, path, target } of commands) {
    if (kind === RENAME && target !== undefined) renames.push({ from: path, to: target });
  }
  const touched = new Map<string, boolean>();
  const touch = (path: string, isWholeTree: boolean): void => {
    if (path !== '') touched.set(path, isWholeTree || touched.get(path) === true);
  };
  const written = new Map<string, WrittenRange[]>();
  let done = 0;
  for (const { kind, path, range } of commands) {
    // A renamed folder takes along what is in it, and the stream does not say so.
    const isWholeTree = kind === RENAME;
    const name = newName(path, renames, done);
    touch(oldName(path, renames, done), isWholeTree);
    touch(name, isWholeTree);
    if (range) written.set(name, [...(written.get(name) ?? []), range]);
    if (isWholeTree) done += 1;
  }
  return [...touched].map(([path, isWholeTree]) => {
    const ranges = written.get(path);
    return { path, isWholeTree, ...(ranges && { written: ranges }) };
  });
}

function oldName(path: string, renames: readonly Rename[], done: number): string {
  let name = path;
  for (let index = done - 1; index >= 0; index--) {
    const { from, to } = renames[index]!;
    name = moved(name, to, from);
  }
  return name;
}

function newName(path: string, renames: readonly Rename[], done: number): string {
  let name = path;
  for (let index = done; index < renames.length; index++) {
    const { from, to } = renames[index]!;
    name = moved(name, from, to);
  }
  return name;
}

function moved(path: string, from: string, to: string): string {
  const below = relativeTo(from, path);
  return below === undefined ? path : joinPath(to, below);
}
