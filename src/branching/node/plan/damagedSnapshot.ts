import { UserError } from '../../../base/errors.ts';
import { chooseSnapshot } from '../../common/chooseSnapshot.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import type { BranchPlan } from './planBranch.ts';
import { snapshotProblem } from './snapshotProblem.ts';

/** Whether a provider reports that a snapshot, or a part of it, is missing or damaged. */
export function isDamage(error: unknown): error is UserError {
  const codes = ['git-failed', 'snapshot-missing', 'snapshot-gone', 'clone-failed'];
  return error instanceof UserError && codes.includes(error.code);
}

/** The error for a damaged snapshot; names the nearest usable snapshot. */
export async function damagedSnapshotError(
  files: SessionFiles,
  { snapshot }: BranchPlan,
  error: UserError,
): Promise<UserError> {
  const point = { snapshotId: snapshot.id };
  const { line } = await chooseSnapshot(files.snapshots, point, (each) =>
    each.id === snapshot.id ? Promise.resolve(error.message) : snapshotProblem(files, each),
  );
  const instead = line
    ? `The nearest usable snapshot is ${line.id}, “${line.label}”.`
    : 'There is no other snapshot.';
  const [detail = ''] = error.message.split('\n');
  return new UserError(
    'snapshot-damaged',
    `Can't create the branch: the files of snapshot ${snapshot.id} are damaged. ${instead} (${detail})`,
    { cause: error },
  );
}
