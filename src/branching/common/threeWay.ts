import { isInside } from '../../snapshots/common/pathBelow.ts';
import type { FileChange } from '../../snapshots/common/provider.ts';

/** What becomes of one file that a branch changed, in the workspace that the branch came from. */
export interface TakeBackStep {
  readonly path: string;
  readonly change: FileChange['kind'];
  /**
   * `take`: the workspace still has what the branch began with. `merge`: it changed too, elsewhere in the file.
   * `conflict`: it changed in a way that does not go together, and is left alone.
   */
  readonly how: 'take' | 'merge' | 'conflict';
}

/** Says whether the workspace's and the branch's change of a file go together. */
export type JudgeBoth = (path: string) => Promise<'same' | 'merge' | 'conflict'>;

/**
 * @param theirs what the branch changed
 * @param ours what the workspace changed since
 */
export async function applyBranchSteps(
  theirs: readonly FileChange[],
  ours: readonly FileChange[],
  judge: JudgeBoth,
): Promise<TakeBackStep[]> {
  const changedHere = new Set(ours.map(({ path }) => path));
  const steps: TakeBackStep[] = [];
  for (const { path, kind } of theirs) {
    if (!changedHere.has(path)) {
      steps.push({ path, change: kind, how: blockedBy(path, ours) ? 'conflict' : 'take' });
      continue;
    }
    const how = await judge(path);
    if (how !== 'same') steps.push({ path, change: kind, how });
  }
  return withKindred(steps);
}

/**
 * Where a file takes the place of a folder, or the other way round, all of it is done or nothing: half of it would be neither
 * what the branch has nor what was there.
 */
function withKindred(steps: readonly TakeBackStep[]): TakeBackStep[] {
  const conflicts = steps.flatMap(({ path, how }) => (how === 'conflict' ? path : []));
  const [left, above] = [new Set(conflicts), new Set(conflicts.flatMap(foldersAbove))];
  const spread = steps.map((step): TakeBackStep => {
    const isKindred = above.has(step.path) || isInside(left, step.path);
    return isKindred ? { ...step, how: 'conflict' } : step;
  });
  const isAll = spread.every(({ how }, index) => how === steps[index]!.how);
  // What is left alone now may be the folder of what else it took the place of.
  return isAll ? spread : withKindred(spread);
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Bits of a number that one of two changed, with the changes of both: of one bit they cannot be different ones. */
export function threeWayBits(base: number, ours: number, theirs: number): number {
  const changed = base ^ ours;
  return (theirs & ~changed) | (ours & changed);
}

/** A file has come where a folder is wanted, or the other way round. */
function blockedBy(path: string, ours: readonly FileChange[]): boolean {
  return ours.some(
    (other) =>
      other.kind !== 'deleted' &&
      (path.startsWith(`${other.path}/`) || other.path.startsWith(`${path}/`)),
  );
}
