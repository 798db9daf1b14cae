import type { TouchedPath, WrittenRange } from '../volume/listing.ts';
import { joinPath, relativeTo } from '../common/posixPath.ts';
import { RENAME, type SendCommand } from './sendStream.ts';

interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Lists every path in the old and the new tree that a stream of changes may have touched. A command
 * uses the name that a file has at that point of the stream, which may be temporary: undoing the
 * earlier renames gives the name in the old tree, and applying the later renames gives the name in
 * the new tree. Extra paths are harmless, because the trees are then compared at these paths.
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
    // A renamed folder moves its content, which the stream does not mention.
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
  return renames.slice(0, done).reduceRight((name, { from, to }) => moved(name, to, from), path);
}

function newName(path: string, renames: readonly Rename[], done: number): string {
  return renames.slice(done).reduce((name, { from, to }) => moved(name, from, to), path);
}

function moved(path: string, from: string, to: string): string {
  const below = relativeTo(from, path);
  return below === undefined ? path : joinPath(to, below);
}
