import { UserError } from '../../../base/errors.ts';
import { chooseSnapshot } from '../../common/chooseSnapshot.ts';
import type { SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { troubleWith, type BranchPlan } from './planBranch.ts';

/** Providers say so when they cannot put together what they kept. */
export function isDamage(error: unknown): error is UserError {
  const codes = ['git-failed', 'snapshot-missing', 'snapshot-gone', 'clone-failed'];
  return error instanceof UserError && codes.includes(error.code);
}

/** That a part of a snapshot is gone shows only when it is used; then another one is named. */
export async function withProposal(
  files: SessionFiles,
  { snapshot }: BranchPlan,
  error: UserError,
): Promise<UserError> {
  const point = { kind: 'snapshot', id: snapshot.id } as const;
  const { line } = await chooseSnapshot(files.snapshots, point, (each) =>
    each.id === snapshot.id ? Promise.resolve(error.message) : troubleWith(files, each),
  );
  const instead = line
    ? `The nearest one that may be used is ${line.id}, “${line.label}”.`
    : 'There is no other.';
  const [detail = ''] = error.message.split('\n');
  return new UserError(
    'snapshot-damaged',
    `The files of snapshot ${snapshot.id} cannot be had, and no branch was made. ${instead} (${detail})`,
    { cause: error },
  );
}
