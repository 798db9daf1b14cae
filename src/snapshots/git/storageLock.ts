import { UserError } from '../../base/errors.ts';
import { errorCode } from '../volume/errorCode.ts';
import { joinPath } from '../common/posixPath.ts';
import type { GitPorts } from './gitPorts.ts';

const POLL_MS = 15;
/** Longer than any first snapshot of a tree we know of; then something is stuck. */
const PATIENCE_MS = 10 * 60_000;
const FREE = 'free';

/** Tells the attempts of this process apart. */
let attempts = 0;

export interface HeldLock {
  /** Whoever had it before was killed: what it was doing is unfinished. */
  readonly isAfterCrash: boolean;
  /** What letting go needs; not to be tidied away. */
  readonly freeLink: string;
  release(): Promise<void>;
}

/**
 * One process at a time works on a storage folder. The lock with the highest number counts: a symbolic link that names its
 * holder, or says that it is free. To take it is to make the next number, which only one can; nothing that anybody may
 * still hold is ever removed, so that two who find a dead holder cannot both succeed it.
 */
export async function acquireLock(
  ports: GitPorts,
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
        'Another process has been taking a snapshot for too long.',
      );
    }
    await new Promise<void>((resolve) => ports.clock.schedule(POLL_MS, resolve));
  }
}

async function tryAcquire(ports: GitPorts, storage: string): Promise<HeldLock | undefined> {
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
  // Made now, so that letting go later needs no room on the disk.
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
    // We looked long ago: others have come and gone since.
    await files.remove(mine);
    await files.remove(free);
    return undefined;
  }
  for (const number of now) {
    if (number <= last) await removeIfThere(ports, lockFile(storage, number));
  }
  return { isAfterCrash, freeLink: free, release: () => files.rename(free, mine) };
}

async function lockNumbers({ files }: GitPorts, storage: string): Promise<number[]> {
  const entries = await files.list(storage);
  return entries.flatMap(({ name }) => {
    const match = /^lock\.(\d{1,15})$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
}

async function readHolder({ files }: GitPorts, file: string): Promise<string | undefined> {
  try {
    return await files.readLink(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function removeIfThere({ files }: GitPorts, file: string): Promise<void> {
  await files.remove(file).catch((error: unknown) => {
    // Untested: the error fails the snapshot; the unused link stays.
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}

function lockFile(storage: string, number: number): string {
  return joinPath(storage, `lock.${number}`);
}
