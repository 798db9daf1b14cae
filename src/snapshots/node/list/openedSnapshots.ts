import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';

const FOLDER = 'opened';
/** A closed window may reopen and show the same folders. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/**
 * A snapshot that an editor shows. Noted by a file in its session's folder: `opened/NUMBER.PROCESS`
 * if the editor shows it as a folder, otherwise `opened/NUMBER.PROCESS.AS`.
 */
export interface OpenedSnapshot {
  readonly sessionFolder: string;
  readonly id: bigint;
  /**
   * `changes`: the editor shows what changed since the snapshot. Undefined: it shows the snapshot
   * as a folder. Both may be open at once.
   */
  readonly as?: 'changes';
  /** The address of the folder in the editor; empty if it is not shown as a folder. */
  readonly address: string;
}

/**
 * Notes that this process shows a snapshot, until {@link forgetOpened} or some time after the
 * process has ended.
 */
export async function noteOpened(opened: OpenedSnapshot): Promise<void> {
  const file = fileOf(opened);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, opened.address, { mode: 0o600 });
}

export async function forgetOpened(opened: Omit<OpenedSnapshot, 'address'>): Promise<void> {
  await rm(fileOf(opened), { force: true });
}

/** Returns the numbers of snapshots that an editor shows or showed recently; forgets older ones. */
export async function openedSnapshots(sessionFolder: string): Promise<Set<bigint>> {
  return new Set((await listOpened(sessionFolder)).map(({ id }) => id));
}

/** Like {@link openedSnapshots}, with addresses. */
export async function listOpened(sessionFolder: string): Promise<OpenedSnapshot[]> {
  const folder = path.join(sessionFolder, FOLDER);
  const found: OpenedSnapshot[] = [];
  // If there is no such folder, no snapshot of the session was shown.
  for (const name of await readdir(folder).catch(() => [])) {
    const [, id, owner = ''] = /^(\d{1,20})\.([^.]+)(?:\.changes)?$/.exec(name) ?? [];
    if (id === undefined) continue;
    const file = path.join(folder, name);
    if (await nodeProcesses.isAlive(owner)) {
      // Keep the note fresh, so that the time it is remembered starts when the process ends.
      const now = new Date();
      await utimes(file, now, now).catch(() => {}); // Closed meanwhile.
    } else if (Date.now() - (await lastSeen(file)) > REMEMBERED_MS) {
      await rm(file, { force: true });
      continue;
    }
    // If it was closed meanwhile: an empty address matches no folder.
    const address = await readFile(file, 'utf8').catch(() => '');
    found.push({ sessionFolder, id: BigInt(id), address });
  }
  return found;
}

async function lastSeen(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function fileOf({ sessionFolder, id, as }: Omit<OpenedSnapshot, 'address'>): string {
  const name = `${id}.${nodeProcesses.own}`;
  return path.join(sessionFolder, FOLDER, as === undefined ? name : `${name}.${as}`);
}
