import { lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a `.git` entry is: the repository itself, or a file or link that points to it. */
export type GitMark =
  { readonly kind: 'repository' } | { readonly kind: 'file' | 'link'; readonly target: string };

/** Reads a `.git` entry; undefined when there is none that git would accept. */
export function readGitMark(file: string): GitMark | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) return { kind: 'repository' };
  const folder = path.dirname(file);
  if (found?.isSymbolicLink()) {
    return { kind: 'link', target: path.resolve(folder, readlinkSync(file)) };
  }
  const pointer = found?.isFile()
    ? /^gitdir: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : undefined;
  return pointer === undefined
    ? undefined
    : { kind: 'file', target: path.resolve(folder, pointer) };
}

export function writeGitMark(
  file: string,
  { kind, target }: Exclude<GitMark, { kind: 'repository' }>,
): void {
  if (kind === 'file') {
    writeFileSync(file, `gitdir: ${target}\n`);
    return;
  }
  rmSync(file);
  symlinkSync(target, file);
}

/**
 * The `.git` file to which the git folder of a linked working tree points back; undefined for other
 * git folders.
 */
export function readBackPointer(gitDir: string): string | undefined {
  try {
    return path.resolve(gitDir, readFileSync(path.join(gitDir, 'gitdir'), 'utf8').trimEnd());
  } catch {
    return undefined; // Only git folders of linked working trees contain this file.
  }
}

export function writeBackPointer(gitDir: string, file: string): void {
  writeFileSync(path.join(gitDir, 'gitdir'), `${file}\n`);
}
