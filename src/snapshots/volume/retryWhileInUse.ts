import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../../base/clock.ts';

const POLL_MS = 20;
/** Comparisons use a snapshot for far less time: they stop after some megabytes of differences. */
const PATIENCE_MS = 5_000;

/**
 * Retries a task that the file system refuses while another process uses the snapshot, for example
 * to delete a snapshot that is being compared.
 * @param isInUse whether an error may mean that the snapshot is in use; after the time limit, the
 * error is thrown anyway
 */
export async function retryWhileInUse(
  clock: Clock,
  isInUse: (error: unknown) => boolean,
  task: () => Promise<void>,
): Promise<void> {
  const endNs = clock.nowNs() + BigInt(PATIENCE_MS) * NANOSECONDS_PER_MILLISECOND;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!isInUse(error) || clock.nowNs() > endNs) throw error;
    }
    await new Promise<void>((resolve) => clock.schedule(POLL_MS, resolve));
  }
}
