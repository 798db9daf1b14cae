import type { FileChange } from '../snapshots/provider.ts';

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
export async function takeBackSteps(
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
  return steps;
}

/** A file has come where a folder is wanted, or the other way round. */
function blockedBy(path: string, ours: readonly FileChange[]): boolean {
  return ours.some(
    (other) =>
      other.kind !== 'deleted' &&
      (path.startsWith(`${other.path}/`) || other.path.startsWith(`${path}/`)),
  );
}
