import { errorCode, UserError } from '../../base/errors.ts';
import { joinPath } from '../common/posixPath.ts';
import type { GitPorts } from './gitPorts.ts';

const POLL_MS = 15;
/**
 * Longer than a first snapshot takes in any known workspace: a longer wait means a stuck process.
 */
const PATIENCE_MS = 10 * 60_000;
const FREE = 'free';

export type LockPorts = Pick<GitPorts, 'files' | 'processes' | 'clock'>;

/** Counts the attempts of this process, to give their files different names. */
let attempts = 0;

export interface HeldLock {
  /** The previous holder was killed, so its work is unfinished. */
  readonly isAfterCrash: boolean;
  /** The link that the release renames: cleanup must not remove it. */
  readonly freeLink: string;
  release(): Promise<void>;
}

/**
 * Locks a storage folder for one process. Only the lock file with the highest number counts. It is
 * a symbolic link whose target names the holder or says that the lock is free. A process takes the
 * lock by creating the file with the next number, which only one process can do. Files that may
 * still be held are never removed, so two processes that find a killed holder can't both take over
 * from it. Unlike the claims of `CloneClaims`, this waits for the holder, and the lock can be
 * released on a full disk.
 */
export async function acquireLock(
  ports: LockPorts,
  storage: string,
  signal?: AbortSignal,
): Promise<HeldLock> {
  const startNs = ports.clock.nowNs();
  for (;;) {
    signal?.throwIfAborted();
    const held = await tryAcquire(ports, storage);
    if (held) return held;
    if (ports.clock.nowNs() - startNs > BigInt(PATIENCE_MS) * 1_000_000n) {
      throw new UserError(
        'storage-busy',
        'Another process has been taking a snapshot for more than 10 minutes.',
      );
    }
    await new Promise<void>((resolve) => ports.clock.schedule(POLL_MS, resolve));
  }
}

async function tryAcquire(ports: LockPorts, storage: string): Promise<HeldLock | undefined> {
  const { files, processes } = ports;
  const numbers = await lockNumbers(ports, storage);
  const last = Math.max(0, ...numbers);
  let isAfterCrash = false;
  if (last > 0) {
    const holder = await readHolder(ports, lockFile(storage, last));
    if (holder === undefined) return undefined;
    if (holder !== FREE) {
      if (await processes.isAlive(holder)) return undefined;
      isAfterCrash = true;
    }
  }
  const mine = lockFile(storage, last + 1);
  // Create the link for the release now, so that the release needs no disk space.
  attempts += 1;
  const free = joinPath(storage, `free-${processes.own}-${attempts}`);
  try {
    await files.link(FREE, free);
    await files.link(processes.own, mine);
  } catch (error) {
    await removeIfThere(ports, free);
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
  const now = await lockNumbers(ports, storage);
  if (Math.max(...now) > last + 1) {
    // Our check is outdated: other processes have had the lock since then.
    await files.remove(mine);
    await files.remove(free);
    return undefined;
  }
  for (const number of now) {
    if (number <= last) await removeIfThere(ports, lockFile(storage, number));
  }
  return { isAfterCrash, freeLink: free, release: () => files.rename(free, mine) };
}

async function lockNumbers({ files }: LockPorts, storage: string): Promise<number[]> {
  const entries = await files.list(storage);
  return entries.flatMap(({ name }) => {
    const match = /^lock\.(\d{1,15})$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
}

async function readHolder({ files }: LockPorts, file: string): Promise<string | undefined> {
  try {
    return await files.readLink(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function removeIfThere({ files }: LockPorts, file: string): Promise<void> {
  await files.remove(file).catch((error: unknown) => {
    // Untested: any other error fails the snapshot; the unused link stays.
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}

function lockFile(storage: string, number: number): string {
  return joinPath(storage, `lock.${number}`);
}
