import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../../base/errors.ts';
import type { RetentionPolicy } from '../../common/retention.ts';
import { planPruning, type PruneSources } from './planPruning.ts';
import { prune } from './pruneSnapshots.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface DailyPruning extends PruneSources {
  readonly policy: RetentionPolicy;
  /** The user's data folder, which stores when pruning ran last. */
  readonly dataFolder: string;
  readonly nowMs: number;
  /** Receives a sentence about each workspace. */
  readonly log: (text: string) => void;
}

/**
 * Prunes snapshots once a day, in the window that is the first to call this. A failure in one
 * workspace does not stop pruning in the others.
 * @returns whether pruning was due
 */
export async function pruneDaily(pruning: DailyPruning): Promise<boolean> {
  const { policy, dataFolder, nowMs, log } = pruning;
  const mark = path.join(dataFolder, 'snapshots', 'pruned');
  const last = await stat(mark).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (nowMs - last < DAY_MS) return false;
  await mkdir(path.dirname(mark), { recursive: true, mode: 0o700 });
  // Written before the work, so that another window that calls this meanwhile does nothing.
  await writeFile(mark, '', { mode: 0o600 });
  await utimes(mark, nowMs / 1000, nowMs / 1000);
  const onSkip = (workspace: string, error: unknown) =>
    log(`Can't prune the snapshots of ${workspace}: ${messageOf(error)}`);
  for (const plan of await planPruning(pruning, policy, onSkip, nowMs)) {
    try {
      const { workspace, expired, freedBytes } = await prune(plan);
      log(`${workspace}: ${expired.length} snapshots removed, ${freedBytes} bytes`);
    } catch (error) {
      onSkip(plan.workspace, error);
    } finally {
      plan.dispose();
    }
  }
  return true;
}
