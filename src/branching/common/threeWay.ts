import { isInside } from '../../snapshots/common/pathBelow.ts';
import type { FileChange } from '../../snapshots/common/provider.ts';

/** How a file that a branch changed is applied to the original. */
export interface ApplyStep {
  readonly path: string;
  readonly change: FileChange['kind'];
  /**
   * `take`: the original has not changed the file. `merge`: it has changed other lines of the file.
   * `conflict`: both have changed the same lines, so the file is skipped.
   */
  readonly how: 'take' | 'merge' | 'conflict';
}

/** Compares how the original and the branch changed the same file. */
export type CompareChanges = (path: string) => Promise<'same' | 'merge' | 'conflict'>;

/**
 * Decides for each file that the branch changed how to apply it.
 * @param theirs the branch's changes
 * @param ours the original's changes since the branch started
 */
export async function applyBranchSteps(
  theirs: readonly FileChange[],
  ours: readonly FileChange[],
  judge: CompareChanges,
): Promise<ApplyStep[]> {
  const changedHere = new Set(ours.map(({ path }) => path));
  const steps: ApplyStep[] = [];
  for (const { path, kind } of theirs) {
    if (!changedHere.has(path)) {
      steps.push({ path, change: kind, how: blockedBy(path, ours) ? 'conflict' : 'take' });
      continue;
    }
    const how = await judge(path);
    if (how !== 'same') steps.push({ path, change: kind, how });
  }
  return spreadConflicts(steps);
}

/**
 * If a file replaces a folder or the reverse, several steps depend on each other. A conflict in one
 * of them makes all of them conflicts: applying only some would give a state that neither side had.
 */
function spreadConflicts(steps: readonly ApplyStep[]): ApplyStep[] {
  const conflicts = steps.flatMap(({ path, how }) => (how === 'conflict' ? path : []));
  const [left, above] = [new Set(conflicts), new Set(conflicts.flatMap(foldersAbove))];
  let isChanged = false;
  const spread = steps.map((step): ApplyStep => {
    const isRelated = above.has(step.path) || isInside(left, step.path);
    if (!isRelated || step.how === 'conflict') return step;
    isChanged = true;
    return { ...step, how: 'conflict' };
  });
  // A new conflict may spread to further steps.
  return isChanged ? spreadConflicts(spread) : spread;
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Merges permission bits. Conflicts are impossible: if both sides change a bit, they change it to
 * the same value.
 */
export function threeWayBits(base: number, ours: number, theirs: number): number {
  const changed = base ^ ours;
  return (theirs & ~changed) | (ours & changed);
}

/**
 * Whether the original now has a file where the branch needs a folder, or a folder where the branch
 * has a file.
 */
function blockedBy(path: string, ours: readonly FileChange[]): boolean {
  return ours.some(
    (other) =>
      other.kind !== 'deleted' &&
      (path.startsWith(`${other.path}/`) || other.path.startsWith(`${path}/`)),
  );
}
