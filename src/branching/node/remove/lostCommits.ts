import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { OWN_BRANCH_FILE } from '../../../snapshots/git/clone/ownBranch.ts';
import { pathExists } from '../branchPlace.ts';
import { gitLog, gitText } from '../apply/gitText.ts';

/**
 * Abbreviated ID and subject of each commit that is lost with a branch, because neither the
 * original's repository nor a remote has it. Includes commits that only the reflog of the branch's
 * HEAD contains. Commits of nested repositories are prefixed with their folder.
 */
export async function lostCommits(record: BranchRecord, signal: AbortSignal): Promise<string[]> {
  const lost: string[] = [];
  for (const folder of ['', ...(await nestedRepositories(record.workspace, signal))]) {
    const prefix = folder === '' ? '' : `${folder}: `;
    const commits = await lostIn(record, folder, signal);
    lost.push(...commits.map((commit) => `${prefix}${commit}`));
  }
  return lost;
}

async function lostIn(
  { workspace, from, kind }: BranchRecord,
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  const [ours, theirs] = [path.join(from.workspace, folder), path.join(workspace, folder)];
  const isShared = kind === 'worktree' && pathExists(ours);
  const own = isShared ? await ownBranchOf(theirs, signal) : [];
  const known = pathExists(ours)
    ? (await refsOf(ours, own, signal)) + (await pastOf(ours, signal))
    : '';
  // The git branches of a worktree belong to the original and stay, except the one that was created
  // together with the worktree.
  const ends = isShared ? ['HEAD', ...own] : ['HEAD', '--branches', '--tags'];
  const commits = await gitLog(theirs, [...ends, '--not', '--remotes', '--not'], signal, {
    known,
    past: await pastOf(theirs, signal),
  });
  return isShared ? commits : [...commits, ...(await lostStashes(ours, theirs, signal))];
}

/** The git branch that was created together with a worktree; usually none. */
async function ownBranchOf(folder: string, signal: AbortSignal): Promise<string[]> {
  const gitDir = (await gitText(folder, ['rev-parse', '--absolute-git-dir'], signal))?.trimEnd();
  if (gitDir === undefined) return [];
  // Most worktrees have no such file.
  const text = await readFile(path.join(gitDir, OWN_BRANCH_FILE), 'utf8').catch(() => '');
  const branch = text.trim();
  const commit = await gitText(folder, ['rev-parse', '-q', '--verify', branch], signal);
  return branch === '' || commit === undefined ? [] : [branch];
}

async function refsOf(
  folder: string,
  except: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const excluded = except.map((branch) => `--exclude=${branch.replace('refs/heads/', '')}`);
  const args = ['rev-parse', ...excluded, '--branches', '--tags', '--remotes'];
  const refs = await gitText(folder, args, signal);
  // This fails in a repository without commits.
  const head = await gitText(folder, ['rev-parse', '-q', '--verify', 'HEAD'], signal);
  return `${refs ?? ''}${head ?? ''}`;
}

/** IDs of former commits of HEAD, one per line; each worktree has its own reflog. */
async function pastOf(folder: string, signal: AbortSignal): Promise<string> {
  return (await gitText(folder, ['reflog', 'show', '--format=%H', 'HEAD'], signal)) ?? '';
}

async function lostStashes(ours: string, theirs: string, signal: AbortSignal): Promise<string[]> {
  const stashes = async (folder: string): Promise<string[]> => {
    if (!pathExists(folder)) return [];
    const text = await gitText(folder, ['stash', 'list', '-z', '--format=%H %gs'], signal);
    return text?.split('\0').filter((line) => line !== '') ?? [];
  };
  const kept = new Set((await stashes(ours)).map((line) => line.split(' ', 1)[0]));
  const lost = (await stashes(theirs)).filter((line) => !kept.has(line.split(' ', 1)[0]));
  return lost.map((line) => line.slice(line.indexOf(' ') + 1));
}

/** Folders of nested repositories, including submodules, but not below `node_modules`. */
async function nestedRepositories(workspace: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string): Promise<void> => {
    signal.throwIfAborted();
    const inFolder = path.join(workspace, folder);
    const entries = await readdir(inFolder, { withFileTypes: true }).catch(() => []); // Unreadable.
    for (const entry of entries) {
      if (entry.name === '.git') {
        if (folder !== '') found.push(folder);
      } else if (entry.isDirectory() && entry.name !== 'node_modules') {
        await look(path.join(folder, entry.name));
      }
    }
  };
  await look('');
  return found.sort();
}
