import type { BranchRecord } from '../../common/branchRecord.ts';
import {
  FIRST_ID,
  FIRST_LABEL,
  preStartName,
  snapshotName,
} from '../../../snapshots/common/snapshotName.ts';
import { openSnapshotProvider } from '../../../snapshots/node/snapshotProviders.ts';

/** Longer than the first snapshot of the largest folder takes. */
const GIVE_UP_MS = 60_000;

/**
 * Keeps the files of a new branch ahead of its session's start. The first snapshot of a folder reads every file: taken while a
 * window opens, it is not what the agent waits for. A session that was faster has its own.
 */
export async function prewarmFirstSnapshot({
  id,
  provider,
  workspace,
}: BranchRecord): Promise<void> {
  // In a clone of a volume it is a matter of milliseconds.
  if (provider !== 'git') return;
  const keeper = await openSnapshotProvider(workspace);
  try {
    // Nor is there anything to wait for where a volume has become the keeper of the copy.
    if (keeper.name !== 'git') return;
    const name = preStartName(id);
    await keeper.take({
      ...{ name, label: FIRST_LABEL },
      reuseIfExists: () => [snapshotName(id, FIRST_ID), name],
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
  } finally {
    keeper.dispose();
  }
}
