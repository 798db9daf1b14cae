import os from 'node:os';
import path from 'node:path';
import { messageOf, UserError } from '../base/errors.ts';
import type { Detection, SnapshotProvider } from '../snapshots/provider.ts';
import { detectBtrfs } from '../snapshots/providers/btrfs/detectBtrfs.ts';
import { openGitProvider } from '../snapshots/providers/git/openGitProvider.ts';
import { workspaceKey } from '../snapshots/providers/volume/workspaceKey.ts';
import { detectZfs } from '../snapshots/providers/zfs/detectZfs.ts';
import { selectProvider, type Selection } from '../snapshots/select.ts';
import { nodeExec, nodeStart } from './exec.ts';
import { nodeFiles } from './files.ts';
import { nodeObjectCoding } from './objectCoding.ts';
import { dataFolder } from './paths.ts';
import { nodeProcesses } from './processes.ts';
import { SystemClock } from './systemClock.ts';

/** Tries every provider in the folder. Dispose of the one that is returned. */
export async function findSnapshotProvider(folder: string): Promise<Selection> {
  const workspace = await nodeFiles.realPath(folder);
  const privateFolder = path.join(dataFolder(), 'snapshots');
  const options = { workspace, exec: nodeExec, files: nodeFiles, privateFolder };
  return selectProvider({
    zfs: () => detectZfs(options),
    btrfs: () => detectBtrfs(options),
    git: () => detectGit(workspace, privateFolder),
  });
}

/** The one that works in the folder. @throws UserError that says why none does */
export async function openSnapshotProvider(workspace: string): Promise<SnapshotProvider> {
  const { provider, refusals } = await findSnapshotProvider(workspace);
  if (provider) return provider;
  throw new UserError('no-provider', refusals.at(-1)?.reason ?? 'There is no provider.');
}

async function detectGit(workspace: string, privateFolder: string): Promise<Detection> {
  try {
    const provider = await openGitProvider({
      ...{ workspace, exec: nodeExec, start: nodeStart, files: nodeFiles },
      ...{ coding: nodeObjectCoding, processes: nodeProcesses, clock: new SystemClock() },
      storage: path.join(privateFolder, workspaceKey(workspace)),
      home: os.homedir(),
    });
    return { provider };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { refusal: messageOf(error) };
  }
}
