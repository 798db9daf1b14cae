import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { checkComparable } from '../branchWorkspace.ts';
import { gitLog, gitText as git } from './gitText.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';
import { NO_PROGRAMS, runGit } from '../../../snapshots/git/gitCommand.ts';
import { ownPrograms } from '../../../snapshots/git/repositoryPrograms.ts';
import { execDetached } from '../../../platform/node/processes/execDetached.ts';

/** Commits of the branch's HEAD that the original's HEAD lacks, newest first. */
export async function commitsToMerge(
  { workspace, from }: BranchRecord,
  signal: AbortSignal,
): Promise<string[]> {
  const head = await git(from.workspace, ['rev-parse', '-q', '--verify', 'HEAD'], signal);
  return gitLog(workspace, ['HEAD'], signal, { known: head ?? '' });
}

/**
 * Merges the branch's commits into the original's HEAD. Once git has started to merge, cancelling
 * does not stop it: the original would be left half merged and locked.
 * @returns git's output
 * @throws UserError
 */
export async function mergeBranch(record: BranchRecord, signal: AbortSignal): Promise<string> {
  checkComparable(record);
  const { workspace, from, name } = record;
  for (const folder of [from.workspace, workspace]) await checkPrograms(folder, signal);
  const status = await git(workspace, ['status', '--porcelain', '-z'], signal);
  if (status === undefined) {
    throw new UserError(
      'no-repository',
      `Can't merge: ${workspace} is not a git working tree. Apply the changes instead.`,
    );
  }
  if (status !== '') {
    throw new UserError(
      'uncommitted',
      `The branch has uncommitted changes. Commit them in ${workspace}, or apply the changes instead.`,
    );
  }
  const head = (await git(workspace, ['rev-parse', '--verify', 'HEAD'], signal))?.trim();
  if (!head || (await commitsToMerge(record, signal)).length === 0) {
    throw new UserError('nothing-committed', 'Nothing was committed in the branch.');
  }
  // A clone has a repository of its own, from which the objects have to be fetched.
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', workspace, head];
  const pathExists = await git(from.workspace, ['cat-file', '-e', `${head}^{commit}`], signal);
  signal.throwIfAborted();
  if (pathExists === undefined && (await gitDetached(fetch, from.workspace)).exitCode !== 0) {
    throw new UserError('fetch-failed', `Can't fetch the commits of ${workspace}.`);
  }
  signal.throwIfAborted();
  const merge = ['merge', '--no-edit', '-m', `Merge branch “${name}”`, head];
  const { exitCode, output } = await gitDetached(merge, from.workspace);
  if (exitCode === 0) return output;
  const isHalfDone = await isMerging(from.workspace);
  if (isHalfDone && signal.aborted) {
    const aborted = await gitDetached(['merge', '--abort'], from.workspace);
    if (aborted.exitCode === 0) signal.throwIfAborted();
  }
  const next = `Resolve the conflicts in ${from.workspace}, or run there: git merge --abort`;
  throw new UserError(
    'merge-failed',
    `git could not merge the branch: ${output}${isHalfDone ? `\n${next}` : ''}`,
  );
}

/**
 * git would run these programs to merge, and without them it could write wrong files, for example
 * encrypted ones.
 */
async function checkPrograms(folder: string, signal: AbortSignal): Promise<void> {
  const run = (args: readonly string[]) => runGit(nodeExec, args, { cwd: folder, signal });
  const programs = await ownPrograms(run, folder, signal);
  if (programs.length === 0) return;
  throw new UserError(
    'repository-programs',
    `Can't merge: the configuration of ${folder} makes git run programs (${programs.join(', ')}), ` +
      'which an agent could have written. Apply the changes instead, or merge with git yourself.',
  );
}

function gitDetached(args: readonly string[], cwd: string) {
  return execDetached('git', [...NO_PROGRAMS, ...args], cwd);
}

async function isMerging(folder: string): Promise<boolean> {
  const args = ['rev-parse', '-q', '--verify', 'MERGE_HEAD'];
  return (await git(folder, args, new AbortController().signal)) !== undefined;
}
