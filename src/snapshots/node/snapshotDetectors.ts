import os from 'node:os';
import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Files } from '../common/ports.ts';
import type { Detection } from '../common/provider.ts';
import { detectBtrfs } from '../btrfs/detectBtrfs.ts';
import { openGitProvider } from '../git/openGitProvider.ts';
import { workspaceKey } from '../volume/workspaceKey.ts';
import { detectZfs } from '../zfs/detectZfs.ts';
import type { Detectors } from '../common/select.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import { dataFolder } from '../../platform/node/paths.ts';
import { nodeExec, nodeStart } from '../../platform/node/processes/exec.ts';
import { nodeProcesses } from '../../platform/node/processes/processes.ts';
import { SystemClock } from '../../platform/node/systemClock.ts';
import { nodeObjectCoding } from './objectCoding.ts';
import { usualGitFiles } from './usualGitFiles.ts';

/** The folder whose states are kept, and how. */
export interface DetectedFolder {
  /** With no symbolic link in it. */
  readonly workspace: string;
  /** By which name git knows it: where it was when its snapshots were taken. */
  readonly name: string;
  /** What git looks at instead of a workspace that is gone. */
  readonly standIn?: string;
  /** There are snapshots of this folder: whether more can be made need not be tried. */
  readonly isProven?: boolean;
  /** Nothing but snapshots that there are is asked for; the workspace may be gone. */
  readonly isOnlyKept?: boolean;
}

export function detectorsFor(folder: DetectedFolder, files: Files = nodeFiles): Detectors {
  const { name, standIn, ...kept } = folder;
  const ports = { exec: nodeExec, files, processes: nodeProcesses, clock: new SystemClock() };
  const options = { ...kept, ...ports, privateFolder: snapshotsFolder() };
  return {
    zfs: () => detectZfs(options),
    btrfs: () => detectBtrfs(options),
    git: () => detectGit(standIn ?? folder.workspace, gitStorage(name), files),
  };
}

/** What is said of snapshots and, where the file system does not hold them, they themselves. */
export function snapshotsFolder(): string {
  return path.join(dataFolder(), 'snapshots');
}

/** @param workspace by the name that git knows it by */
export function gitStorage(workspace: string): string {
  return path.join(snapshotsFolder(), workspaceKey(workspace));
}

async function detectGit(workspace: string, storage: string, files: Files): Promise<Detection> {
  try {
    const provider = await openGitProvider({
      ...{ workspace, exec: nodeExec, start: nodeStart, files },
      ...{ coding: nodeObjectCoding, processes: nodeProcesses, clock: new SystemClock() },
      ...{ umask: process.umask(), storage, home: os.homedir(), ...usualGitFiles() },
    });
    return { provider };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { refusal: messageOf(error) };
  }
}
