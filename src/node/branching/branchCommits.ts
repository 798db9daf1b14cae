import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import { checkTakeable } from './branchWorkspace.ts';
import { gitLog, gitText as git } from './gitText.ts';
import { nodeExec } from '../processes/exec.ts';

/** What the branch has checked out and the original has not, whichever branches of git there are; the newest first. */
export async function commitsToMerge(
  { workspace, from }: BranchRecord,
  signal: AbortSignal,
): Promise<string[]> {
  const head = await git(from.workspace, ['rev-parse', '-q', '--verify', 'HEAD'], signal);
  return gitLog(workspace, ['HEAD'], signal, { known: head ?? '' });
}

/** Merges what was committed in a branch into what the original's folder has checked out. @throws UserError */
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
  if (isThere === undefined && (await git(from.workspace, fetch, signal)) === undefined) {
    throw new UserError('fetch-failed', `The commits of ${workspace} cannot be fetched.`);
  }
  const merge = ['merge', '--no-edit', '-m', `Merge branch “${name}”`, head];
  const { exitCode, stdout, stderr } = await nodeExec('git', merge, {
    cwd: from.workspace,
    signal,
  });
  const said = `${Buffer.from(stdout).toString()}${stderr}`.trim();
  if (exitCode === 0) return said;
  const isHalfDone = await git(
    from.workspace,
    ['rev-parse', '-q', '--verify', 'MERGE_HEAD'],
    signal,
  );
  const next = `Resolve that in ${from.workspace}, or go back with: git merge --abort`;
  throw new UserError(
    'merge-failed',
    `git could not merge it by itself: ${said}${isHalfDone === undefined ? '' : `\n${next}`}`,
  );
}
