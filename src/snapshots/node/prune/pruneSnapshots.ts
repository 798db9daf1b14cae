import { errorCode } from '../../../base/errors.ts';
import type { Expiry } from '../../common/retention.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import { removeAbandonedDrafts } from '../restore/applySteps.ts';
import { forgetWorkspace } from '../open/knownWorkspaces.ts';
import type { PrunePlan } from './planPruning.ts';
import { SnapshotsFile } from '../list/snapshotsFile.ts';
import type { SnapshotUse, SnapshotUses } from './snapshotUses.ts';
import { byProvider, costOf, type PruneCandidate, type ProviderRef } from './workspacePlan.ts';

/**
 * Removes the planned snapshots that are still unused. Each is marked as removed before it is
 * removed: after a crash in between, it is garbage, which the next pruning removes.
 * @returns the plan, reduced to what was done
 */
export async function prune(plan: PrunePlan): Promise<PrunePlan> {
  const expired = stillExpired(plan.expired, await plan.usesNow());
  const snapshots = expired.map(({ snapshot }) => snapshot);
  const isAll = expired.length === plan.expired.length;
  const freedBytes = isAll ? plan.freedBytes : await costOf(snapshots);
  await markRemoved(snapshots.flatMap(({ uses }) => uses));
  // Marking takes time: read the uses again to find snapshots that came into use meanwhile.
  const { byRef, needed, isIncomplete, hasSessions } = await plan.usesNow();
  const isUnused = ({ ref }: ProviderRef): boolean => !byRef.has(ref) && !needed.has(ref);
  const garbage = isIncomplete ? [] : plan.garbage.filter(isUnused);
  await remove([...snapshots.filter(isUnused), ...garbage]);
  await removeAbandonedDrafts(plan.workspace);
  if (!hasSessions && !isIncomplete) await forgetIfGone(plan);
  return { ...plan, expired, garbage, freedBytes };
}

/** Selects the snapshots that got no new use since pruning was planned. */
function stillExpired(
  expired: readonly Expiry<PruneCandidate>[],
  { byRef, needed }: SnapshotUses,
): Expiry<PruneCandidate>[] {
  return expired.filter(({ snapshot: { ref, uses } }) => {
    const known = new Set(uses.map(momentOf));
    return !needed.has(ref) && (byRef.get(ref) ?? []).every((use) => known.has(momentOf(use)));
  });
}

function momentOf({ session, line }: SnapshotUse): string {
  return `${session.meta.id} ${line.id}`;
}

async function markRemoved(uses: readonly SnapshotUse[]): Promise<void> {
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

/** Removes references. If one provider fails, the others still remove theirs. */
async function remove(held: readonly ProviderRef[]): Promise<void> {
  const errors: unknown[] = [];
  for (const [provider, refs] of byProvider(held))
    await provider.remove(refs).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Deletes the storage of a workspace whose folder and snapshots are gone: it gets no new ones. */
async function forgetIfGone({ workspace, providers }: PrunePlan): Promise<void> {
  const isGone = await nodeFiles.stat(workspace).then(
    () => false,
    (error: unknown) => errorCode(error) === 'ENOENT',
  );
  if (!isGone) return;
  for (const provider of providers) if ((await provider.list()).length > 0) return;
  await forgetWorkspace(workspace);
}
