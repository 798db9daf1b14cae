import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeExec, nodeStart } from '../../../src/platform/node/processes/exec.ts';
import { nodeFiles } from '../../../src/platform/node/files/files.ts';
import { nodeObjectCoding } from '../../../src/snapshots/node/open/objectCoding.ts';
import { nodeProcesses } from '../../../src/platform/node/processes/processes.ts';
import { SystemClock } from '../../../src/platform/node/systemClock.ts';
import { pathFromBytes } from '../../../src/snapshots/common/pathBytes.ts';
import type { SnapshotProvider, SnapshotTree } from '../../../src/snapshots/common/provider.ts';
import { openGitProvider } from '../../../src/snapshots/git/openGitProvider.ts';
import type { GitProviderOptions } from '../../../src/snapshots/git/openGitProvider.ts';

const execFileAsync = promisify(execFile);

/** The author of test commits; the configuration of the user who runs the tests is ignored. */
const WHO = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
};

/** Runs git as the user would; rejects if it fails. */
export function userGit(folder: string, ...args: string[]): Promise<string> {
  return userGitWith({}, folder, args);
}

/** Like {@link userGit}, with additional environment variables. */
export async function userGitWith(
  env: Readonly<Record<string, string>>,
  folder: string,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await execFileAsync(
    'git',
    ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...args],
    { cwd: folder, env: { ...process.env, ...WHO, ...env }, maxBuffer: 1 << 28 },
  );
  return stdout;
}

/**
 * A repository with one commit, in which git commands of the product and of a branch's program can
 * commit as well.
 */
export async function committedRepository(
  folder: string,
  contents: Readonly<Record<string, string>>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await userGit(folder, 'init', '-q');
  await userGit(folder, 'config', 'user.email', 'a@example.com');
  await userGit(folder, 'config', 'user.name', 'A');
  putFiles(folder, contents);
  await userGit(folder, 'add', '.');
  await userGit(folder, 'commit', '-qm', 'first');
}

/** Writes files, with the folders that they need. */
export function putFiles(folder: string, contents: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/** Like `userGit`, but allows failures, such as a merge with conflicts. */
export async function tryUserGit(folder: string, ...args: string[]): Promise<boolean> {
  return userGit(folder, ...args).then(
    () => true,
    () => false,
  );
}

/**
 * Everything in an index except times: entries with stages, flags, and differences to HEAD.
 */
export async function indexOf(folder: string): Promise<string> {
  const entries = await userGit(folder, '--no-optional-locks', 'ls-files', '-s', '-v', '-z');
  const staged = await userGit(folder, 'diff-index', '--cached', '--raw', '-z', 'HEAD').catch(
    () => '',
  );
  return `${entries}|${staged}`;
}

export function realPorts() {
  return {
    exec: nodeExec,
    start: nodeStart,
    files: nodeFiles,
    coding: nodeObjectCoding,
    processes: nodeProcesses,
    clock: new SystemClock(),
    umask: process.umask(),
  };
}

export function openReal(
  workspace: string,
  storage: string,
  more: Partial<GitProviderOptions> = {},
) {
  return openGitProvider({ ...realPorts(), workspace, storage, ...more });
}

let number = 0;

export function take(
  provider: SnapshotProvider,
  changedPaths?: readonly string[],
  signal: AbortSignal = new AbortController().signal,
) {
  number += 1;
  const name = `s${number}`;
  return provider.take({ name, label: name, signal, ...(changedPaths && { changedPaths }) });
}

/**
 * Every file of a folder except `.git`, as `permissions digest` by path: what a snapshot must
 * restore.
 */
export function filesOnDisk(folder: string, isLeftOut: (path: string) => boolean = () => false) {
  const found = new Map<string, string>();
  const visit = (relative: Buffer): void => {
    const absolute = Buffer.concat([Buffer.from(`${folder}/`), relative]);
    for (const entry of readdirSync(absolute, { withFileTypes: true, encoding: 'buffer' })) {
      if (entry.name.toString() === '.git') continue;
      const below =
        relative.length > 0 ? Buffer.concat([relative, Buffer.from('/'), entry.name]) : entry.name;
      const name = pathFromBytes(below);
      if (isLeftOut(name)) continue;
      const file = Buffer.concat([Buffer.from(`${folder}/`), below]);
      if (entry.isDirectory()) visit(below);
      else if (entry.isSymbolicLink())
        found.set(name, `link ${digest(readlinkSync(file, { encoding: 'buffer' }))}`);
      else if (entry.isFile())
        found.set(name, `${permissions(lstatSync(file).mode)} ${digest(readFileSync(file))}`);
    }
  };
  visit(Buffer.alloc(0));
  return found;
}

/** The files of a snapshot, in the form of {@link filesOnDisk}. */
export async function filesInTree(tree: SnapshotTree): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    for (const { name, kind } of await tree.list(folder)) {
      const below = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder') await visit(below);
      else {
        const stat = await tree.stat(below);
        const content = await tree.read(below);
        const word = kind === 'symlink' ? 'link' : permissions(stat.mode ?? 0);
        found.set(below, `${word} ${digest(content)}`);
      }
    }
  };
  await visit('');
  return found;
}

/**
 * Everything in a git folder except our references: equal if nothing was modified. ctime, which
 * can't be set, stands for the content of thousands of files.
 */
export function fingerprint(gitDir: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (relative: string): void => {
    for (const entry of readdirSync(path.join(gitDir, relative), { withFileTypes: true })) {
      const below = path.join(relative, entry.name);
      // Skip our references, also in the git folders of submodules.
      if (/(^|\/)refs\/ah$/.test(below)) continue;
      if (entry.isDirectory()) visit(below);
      else {
        const file = path.join(gitDir, below);
        const { mtimeNs, ctimeNs, mode, ino, size } = lstatSync(file, { bigint: true });
        found.set(below, `${mtimeNs} ${ctimeNs} ${mode} ${ino} ${size}`);
      }
    }
  };
  visit('');
  return found;
}

function permissions(mode: number): string {
  return (mode & 0o7777).toString(8);
}

function digest(content: Uint8Array | string): string {
  return createHash('sha1').update(content).digest('hex');
}
