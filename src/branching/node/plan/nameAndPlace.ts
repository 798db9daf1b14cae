import { UserError } from '../../../base/errors.ts';
import type { BranchKind, BranchRecord } from '../../common/branchRecord.ts';
import { checkBranchName, freeName, suggestedName } from '../../common/branchName.ts';
import { checkPlace, defaultPlace, pathExists } from '../branchPlace.ts';

interface NameRequest {
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly destination?: string | undefined;
}

interface NamedBranch {
  readonly workspace: string;
  /** Label of the snapshot that the branch starts from. */
  readonly label: string;
  readonly kind: BranchKind;
  /** All branches that exist. */
  readonly branches: readonly BranchRecord[];
}

/** Chooses or checks the name and folder of a new branch. @throws UserError when one is invalid */
export function nameAndPlace(
  request: NameRequest,
  { workspace, label, kind, branches }: NamedBranch,
): { name: string; destination: string } {
  const names = new Set(
    branches.filter(({ from }) => from.workspace === workspace).map(({ name }) => name),
  );
  const name = request.name === undefined ? unusedName() : checkedName(request.name);
  if (kind === 'in-place') return { name, destination: workspace };
  const destination = request.destination ?? defaultPlace(workspace, name);
  const others = branches.filter((branch) => branch.kind !== 'in-place');
  checkPlace(destination, { workspace, branches: others.map((branch) => branch.destination) });
  return { name, destination };

  function unusedName(): string {
    const isUsed = (each: string) =>
      names.has(each) ||
      (request.destination === undefined && pathExists(defaultPlace(workspace, each)));
    return freeName(suggestedName(request.message, label), isUsed);
  }

  function checkedName(wanted: string): string {
    const checked = checkBranchName(wanted);
    if (!names.has(checked)) return checked;
    throw new UserError(
      'name-taken',
      `There is a branch “${checked}” of this workspace already. Choose another name.`,
    );
  }
}
