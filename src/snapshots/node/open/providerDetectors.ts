import os from 'node:os';
import path from 'node:path';
import { messageOf, UserError } from '../../../base/errors.ts';
import type { Files } from '../../common/ports.ts';
import type { Detection } from '../../common/provider.ts';
import { detectBtrfs } from '../../btrfs/detectBtrfs.ts';
import { openGitProvider } from '../../git/openGitProvider.ts';
import { storageKey } from '../../volume/storageKey.ts';
import { detectZfs } from '../../zfs/detectZfs.ts';
import type { ProviderDetectors } from '../../common/selectProvider.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import { dataFolder } from '../../../platform/node/paths.ts';
import { nodeExec, nodeStart } from '../../../platform/node/processes/exec.ts';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';
import { SystemClock } from '../../../platform/node/systemClock.ts';
import { nodeObjectCoding } from './objectCoding.ts';
import { defaultGitFiles } from './defaultGitFiles.ts';

/** The folder to detect providers for. */
export interface DetectedFolder {
  /** The path contains no symbolic link. */
  readonly workspace: string;
  /**
   * The path that the git storage is named after: where the folder was when snapshots were taken.
   */
  readonly storedAs: string;
  /** An empty folder that git scans instead of a workspace that is gone. */
  readonly emptyFolder?: string;
  /** Snapshots of this folder exist, so the detection need not take a trial snapshot. */
  readonly hasSnapshots?: boolean;
  /** Only existing snapshots are needed; the workspace may be gone. */
  readonly isExistingOnly?: boolean;
}

export function detectorsFor(folder: DetectedFolder, files: Files = nodeFiles): ProviderDetectors {
  const { storedAs, emptyFolder, ...detected } = folder;
  const ports = { exec: nodeExec, files, processes: nodeProcesses, clock: new SystemClock() };
  const options = { ...detected, ...ports, privateFolder: snapshotsFolder() };
  return {
    zfs: () => detectZfs(options),
    btrfs: () => detectBtrfs(options),
    git: () => detectGit(emptyFolder ?? folder.workspace, gitStorage(storedAs), files),
  };
}

/** The folder for notes about snapshots and for the git storages. */
export function snapshotsFolder(): string {
  return path.join(dataFolder(), 'snapshots');
}

/** The folder in which git snapshots of a workspace are stored. */
export function gitStorage(workspace: string): string {
  return path.join(snapshotsFolder(), storageKey(workspace));
}

/** Whether git snapshots of a workspace are stored. */
export function hasGitStorage(workspace: string): Promise<boolean> {
  return nodeFiles.canRead(path.join(gitStorage(workspace), 'store.git'));
}

async function detectGit(workspace: string, storage: string, files: Files): Promise<Detection> {
  try {
    const provider = await openGitProvider({
      workspace,
      exec: nodeExec,
      start: nodeStart,
      files,
      coding: nodeObjectCoding,
      processes: nodeProcesses,
      clock: new SystemClock(),
      umask: process.umask(),
      storage,
      home: os.homedir(),
      ...defaultGitFiles(),
    });
    return { provider };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { refusal: messageOf(error) };
  }
}
