import type { Expiry } from '../common/retention.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import { removeAbandonedDrafts } from './applySteps.ts';
import { forgetWorkspace } from './keptWorkspaces.ts';
import type { PrunePlan } from './planPruning.ts';
import { SnapshotsFile } from './snapshotsFile.ts';
import type { SnapshotUse, SnapshotUses } from './snapshotUses.ts';
import { byProvider, costOf, type Candidate, type HeldRef } from './workspacePlan.ts';

/**
 * Removes what the plan says as far as nobody needs it by now. Each is said to be removed before it is: after a crash between
 * the two it is garbage, and goes next time.
 * @returns what of the plan was done
 */
export async function prune(plan: PrunePlan): Promise<PrunePlan> {
  const expired = stillExpired(plan.expired, await plan.usesNow());
  const snapshots = expired.map(({ snapshot }) => snapshot);
  const isAll = expired.length === plan.expired.length;
  const freedBytes = isAll ? plan.freedBytes : await costOf(snapshots);
  await sayRemoved(snapshots.flatMap(({ uses }) => uses));
  // Saying so takes its time; whoever began to use one of them meanwhile has been heard of by now.
  const { byRef, needed, mayBeMore, hasSessions } = await plan.usesNow();
  const isUnused = ({ ref }: HeldRef): boolean => !byRef.has(ref) && !needed.has(ref);
  const garbage = mayBeMore ? [] : plan.garbage.filter(isUnused);
  await remove([...snapshots.filter(isUnused), ...garbage]);
  await removeAbandonedDrafts(plan.workspace);
  if (!hasSessions && !mayBeMore) await forgetIfGone(plan);
  return { ...plan, expired, garbage, freedBytes };
}

/** What is used by nobody but those who were asked when it expired. */
function stillExpired(
  expired: readonly Expiry<Candidate>[],
  { byRef, needed }: SnapshotUses,
): Expiry<Candidate>[] {
  return expired.filter(({ snapshot: { ref, uses } }) => {
    const known = new Set(uses.map(momentOf));
    return !needed.has(ref) && (byRef.get(ref) ?? []).every((use) => known.has(momentOf(use)));
  });
}

function momentOf({ session, line }: SnapshotUse): string {
  return `${session.meta.id} ${line.id}`;
}

async function sayRemoved(uses: readonly SnapshotUse[]): Promise<void> {
  for (const folder of new Set(uses.map(({ session }) => session.folder))) {
    const file = await SnapshotsFile.open(folder);
    try {
      for (const { session, line } of uses)
        if (session.folder === folder) await file.append({ ...line, files: { state: 'removed' } });
    } finally {
      await file.close();
    }
  }
}

/** What one keeper cannot remove does not keep another from it. */
async function remove(held: readonly HeldRef[]): Promise<void> {
  const errors: unknown[] = [];
  for (const [provider, refs] of byProvider(held))
    await provider.remove(refs).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** A folder that is not there takes no more snapshots: when the last has gone, so does what they were kept in. */
async function forgetIfGone({ workspace, providers }: PrunePlan): Promise<void> {
  const isGone = await nodeFiles.stat(workspace).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT',
  );
  if (!isGone) return;
  for (const provider of providers) if ((await provider.list()).length > 0) return;
  await forgetWorkspace(workspace);
}
