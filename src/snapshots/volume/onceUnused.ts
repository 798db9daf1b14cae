import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../../base/clock.ts';

const POLL_MS = 20;
/** What is compared takes its time by how much differs, and is given up at some megabytes: far less than this. */
const PATIENCE_MS = 5_000;

/**
 * Does what the file system refuses as long as somebody reads there, such as to delete a snapshot that another process compares.
 * @param isInUse whether it was refused for that; when the patience is at an end, it was for something else
 */
export async function onceUnused(
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
