import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { RetentionPolicy } from '../common/retention.ts';
import type { Catalogue } from '../../sessions/node/catalogue.ts';
import { planPruning } from './planPruning.ts';
import { prune } from './pruneSnapshots.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface DailyPruningParts {
  readonly catalogue: Catalogue;
  readonly policy: RetentionPolicy;
  /** The user's data, where it is written down when this happened last. */
  readonly dataFolder: string;
  readonly nowMs: number;
  /** A sentence about each workspace. */
  readonly log: (text: string) => void;
}

/**
 * Removes snapshots that are too old or too many, once a day, whoever asks first. One workspace that cannot be looked at does
 * not keep the others from it.
 * @returns whether it was time
 */
export async function pruneDaily(parts: DailyPruningParts): Promise<boolean> {
  const { catalogue, policy, dataFolder, nowMs, log } = parts;
  const mark = path.join(dataFolder, 'snapshots', 'pruned');
  const last = await stat(mark).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (nowMs - last < DAY_MS) return false;
  await mkdir(path.dirname(mark), { recursive: true, mode: 0o700 });
  // Before the work: another window that comes meanwhile has nothing to do.
  await writeFile(mark, '', { mode: 0o600 });
  await utimes(mark, nowMs / 1000, nowMs / 1000);
  const onSkip = (workspace: string, error: unknown) =>
    log(`The snapshots of ${workspace} were left alone: ${messageOf(error)}`);
  for (const plan of await planPruning(catalogue, policy, onSkip, nowMs)) {
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
