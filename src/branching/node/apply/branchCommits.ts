import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { checkTakeable } from '../branchWorkspace.ts';
import { gitLog, gitText as git } from './gitText.ts';
import { execDetached } from '../../../platform/node/processes/execDetached.ts';

/** What the branch has checked out and the original has not, whichever branches of git there are; the newest first. */
export async function commitsToMerge(
  { workspace, from }: BranchRecord,
  signal: AbortSignal,
): Promise<string[]> {
  const head = await git(from.workspace, ['rev-parse', '-q', '--verify', 'HEAD'], signal);
  return gitLog(workspace, ['HEAD'], signal, { known: head ?? '' });
}

/**
 * Merges what was committed in a branch into what the original's folder has checked out. Once git has begun to, it is not
 * stopped: the original would be left half merged, and locked.
 * @returns what git says
 * @throws UserError
 */
export async function mergeBranch(record: BranchRecord, signal: AbortSignal): Promise<string> {
  checkTakeable(record);
  const { workspace, from, name } = record;
  const status = await git(workspace, ['status', '--porcelain', '-z'], signal);
  if (status === undefined) {
    throw new UserError(
      'no-repository',
      `${workspace} is no git working tree: apply the changes instead.`,
    );
  }
  if (status !== '') {
    throw new UserError(
      'uncommitted',
      `The branch has changes that are not committed. Commit them in ${workspace}, or apply the changes instead.`,
    );
  }
  const head = (await git(workspace, ['rev-parse', '--verify', 'HEAD'], signal))?.trim();
  if (!head || (await commitsToMerge(record, signal)).length === 0) {
    throw new UserError('nothing-committed', 'Nothing was committed in the branch.');
  }
  // A clone has a repository of its own, whose objects have to come over first.
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', workspace, head];
  const isThere = await git(from.workspace, ['cat-file', '-e', `${head}^{commit}`], signal);
  signal.throwIfAborted();
  if (isThere === undefined && (await execDetached('git', fetch, from.workspace)).exitCode !== 0) {
    throw new UserError('fetch-failed', `The commits of ${workspace} cannot be fetched.`);
  }
  signal.throwIfAborted();
  const merge = ['merge', '--no-edit', '-m', `Merge branch “${name}”`, head];
  const { exitCode, said } = await execDetached('git', merge, from.workspace);
  if (exitCode === 0) return said;
  const isHalfDone = await isMerging(from.workspace);
  if (isHalfDone && signal.aborted) {
    const aborted = await execDetached('git', ['merge', '--abort'], from.workspace);
    if (aborted.exitCode === 0) signal.throwIfAborted();
  }
  const next = `Resolve that in ${from.workspace}, or go back with: git merge --abort`;
  throw new UserError(
    'merge-failed',
    `git could not merge it by itself: ${said}${isHalfDone ? `\n${next}` : ''}`,
  );
}

async function isMerging(folder: string): Promise<boolean> {
  const args = ['rev-parse', '-q', '--verify', 'MERGE_HEAD'];
  return (await git(folder, args, new AbortController().signal)) !== undefined;
}
