import { lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What is at a `.git`: the repository itself, or what leads to it. */
export type GitMark =
  { readonly kind: 'repository' } | { readonly kind: 'file' | 'link'; readonly target: string };

/** Undefined where there is nothing that git would take for a repository. */
export function readGitMark(file: string): GitMark | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) return { kind: 'repository' };
  const folder = path.dirname(file);
  if (found?.isSymbolicLink()) {
    return { kind: 'link', target: path.resolve(folder, readlinkSync(file)) };
  }
  const said = found?.isFile()
    ? /^gitdir: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : undefined;
  return said === undefined ? undefined : { kind: 'file', target: path.resolve(folder, said) };
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

/** The `.git` that the git folder of a linked working tree says it belongs to; undefined for any other git folder. */
export function readBackPointer(gitDir: string): string | undefined {
  try {
    return path.resolve(gitDir, readFileSync(path.join(gitDir, 'gitdir'), 'utf8').trimEnd());
  } catch {
    return undefined;
  }
}

export function writeBackPointer(gitDir: string, file: string): void {
  writeFileSync(path.join(gitDir, 'gitdir'), `${file}\n`);
}
