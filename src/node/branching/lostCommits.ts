import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import { isThere } from './branchPlace.ts';
import { gitLog, gitText } from './gitText.ts';

/**
 * The first line of each commit that is gone with a branch: neither the original's repository has it, nor a remote. Those of
 * repositories in the branch are told with their folder.
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
  const isShared = kind === 'worktree' && isThere(ours);
  const known = isThere(ours) ? await refsOf(ours, signal) : '';
  // The branches of a working tree are those of the original's repository, and stay.
  const ends = isShared ? ['HEAD'] : ['HEAD', '--branches', '--tags'];
  const commits = await gitLog(theirs, [...ends, '--not', '--remotes', '--not'], known, signal);
  return isShared ? commits : [...commits, ...(await lostStashes(ours, theirs, signal))];
}

async function refsOf(folder: string, signal: AbortSignal): Promise<string> {
  const refs = await gitText(folder, ['rev-parse', '--branches', '--tags', '--remotes'], signal);
  // There may be none yet.
  const head = await gitText(folder, ['rev-parse', '-q', '--verify', 'HEAD'], signal);
  return `${refs ?? ''}${head ?? ''}`;
}

async function lostStashes(ours: string, theirs: string, signal: AbortSignal): Promise<string[]> {
  const stashes = async (folder: string): Promise<string[]> => {
    if (!isThere(folder)) return [];
    const text = await gitText(folder, ['stash', 'list', '-z', '--format=%H %gs'], signal);
    return text?.split('\0').filter((line) => line !== '') ?? [];
  };
  const kept = new Set((await stashes(ours)).map((line) => line.split(' ', 1)[0]));
  const lost = (await stashes(theirs)).filter((line) => !kept.has(line.split(' ', 1)[0]));
  return lost.map((line) => line.slice(line.indexOf(' ') + 1));
}

/** Submodules too. Packages are left out: nobody works in them. */
async function nestedRepositories(workspace: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string): Promise<void> => {
    signal.throwIfAborted();
    const inFolder = path.join(workspace, folder);
    const entries = await readdir(inFolder, { withFileTypes: true }).catch(() => []);
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
