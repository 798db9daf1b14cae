import { openExistingProviders } from '../../../snapshots/node/open/openProviders.ts';
import { sessionCost, type SnapshotCost } from '../../../snapshots/node/prune/snapshotCosts.ts';
import type { Session } from '../session.ts';

/** Disk space of a session's snapshots; undefined when it cannot be measured. */
export async function snapshotCostOf(
  session: Session,
  signal: AbortSignal,
): Promise<SnapshotCost | undefined> {
  if (session.meta.workspace === undefined) return undefined;
  try {
    const { providers } = await openExistingProviders(session.meta.workspace);
    try {
      return await sessionCost(session, providers, signal);
    } finally {
      for (const provider of providers) provider.dispose();
    }
  } catch {
    return undefined; // The tooltip then leaves out the cost.
  }
}
