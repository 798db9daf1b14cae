import type { BranchRecord } from '../../common/branchRecord.ts';
import {
  FIRST_ID,
  FIRST_LABEL,
  preStartName,
  snapshotName,
} from '../../../snapshots/common/snapshotName.ts';
import { openSnapshotProvider } from '../../../snapshots/node/open/openProviders.ts';

/** More than enough for the first snapshot of a very large folder. */
const GIVE_UP_MS = 60_000;

/**
 * Takes the first snapshot of a new branch before its session starts. This snapshot reads every
 * file: taken while the window opens, it does not delay the agent. Does nothing when the session
 * has already taken its first snapshot.
 */
export async function prewarmFirstSnapshot({
  id,
  provider,
  workspace,
}: BranchRecord): Promise<void> {
  // On Btrfs and ZFS a snapshot takes milliseconds anyway.
  if (provider !== 'git') return;
  const keeper = await openSnapshotProvider(workspace);
  try {
    // The branch may be on Btrfs or ZFS although the original was not.
    if (keeper.name !== 'git') return;
    const name = preStartName(id);
    await keeper.take({
      name,
      label: FIRST_LABEL,
      reuseIfExists: () => [snapshotName(id, FIRST_ID), name],
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
  } finally {
    keeper.dispose();
  }
}
