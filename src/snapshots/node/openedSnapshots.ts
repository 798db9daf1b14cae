import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeProcesses } from '../../platform/node/processes/processes.ts';

const FOLDER = 'opened';
/** A window that is closed may come back, and shows the same folders again. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** A snapshot that an editor shows as a folder: `opened/NUMBER.PROCESS` in its session's folder. */
export interface OpenedSnapshot {
  readonly sessionFolder: string;
  readonly id: bigint;
  /** The address of the folder in the editor. */
  readonly address: string;
}

/** Says that a snapshot is shown by this process; until {@link forgetOpened}, or some time after the process has ended. */
export async function noteOpened({ sessionFolder, id, address }: OpenedSnapshot): Promise<void> {
  const file = fileOf(sessionFolder, id);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, address, { mode: 0o600 });
}

export async function forgetOpened(opened: Omit<OpenedSnapshot, 'address'>): Promise<void> {
  await rm(fileOf(opened.sessionFolder, opened.id), { force: true });
}

/** Numbers of the snapshots that an editor shows, or showed just now. What is older is forgotten. */
export async function openedSnapshots(sessionFolder: string): Promise<Set<bigint>> {
  return new Set((await listOpened(sessionFolder)).map(({ id }) => id));
}

/** The same with their addresses. */
export async function listOpened(sessionFolder: string): Promise<OpenedSnapshot[]> {
  const folder = path.join(sessionFolder, FOLDER);
  const found: OpenedSnapshot[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const [, id, owner = ''] = /^(\d{1,20})\.(.+)$/.exec(name) ?? [];
    if (id === undefined) continue;
    const file = path.join(folder, name);
    if (await nodeProcesses.isAlive(owner)) {
      // From its end on it is remembered for a while, whenever that is.
      const now = new Date();
      await utimes(file, now, now).catch(() => {});
    } else if (Date.now() - (await lastSeen(file)) > REMEMBERED_MS) {
      await rm(file, { force: true });
      continue;
    }
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

function fileOf(sessionFolder: string, id: bigint): string {
  return path.join(sessionFolder, FOLDER, `${id}.${nodeProcesses.own}`);
}
