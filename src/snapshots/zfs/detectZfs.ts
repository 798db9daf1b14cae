import { messageOf } from '../../base/errors.ts';
import { hasEscapedBytes } from '../common/pathBytes.ts';
import type { Files } from '../common/ports.ts';
import type { Detection } from '../common/provider.ts';
import type { DetectOptions } from '../volume/detectOptions.ts';
import { mountsOf } from '../volume/mounts.ts';
import { joinPath, relativeTo } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import { snapshotPrefix } from './zfsRef.ts';
import { ZfsProvider } from './zfsProvider.ts';
import { ZfsTool, type Dataset } from './zfsTool.ts';

/** Detects ZFS by a trial snapshot: only a trial shows whether this user may take one. */
export async function detectZfs(options: DetectOptions): Promise<Detection> {
  const { exec, files, processes, clock, privateFolder, isExistingOnly } = options;
  const workspace = isExistingOnly ? options.workspace : await files.realPath(options.workspace);
  if (hasEscapedBytes(workspace)) {
    return { refusal: 'The folder name is not UTF-8, which the zfs command does not support.' };
  }
  const { around } = await mountsOf(files, workspace);
  if (around?.type !== 'zfs') return { refusal: `${workspace} is not on a ZFS file system.` };
  if (around.root !== '/') {
    return {
      refusal: `The snapshots of ${around.source} can't be accessed through ${around.folder}.`,
    };
  }
  const tool = await ZfsTool.find(exec);
  if (tool === undefined) {
    return { refusal: 'The command zfs is not installed (package zfsutils-linux).' };
  }
  const dataset = { name: around.source, mountPoint: around.folder };
  // `!`: the mount contains the workspace.
  const folder = relativeTo(around.folder, workspace)!;
  const trial = { tool, files, dataset, folder, privateFolder };
  const refusal = options.hasSnapshots || isExistingOnly ? undefined : await trySnapshot(trial);
  if (refusal !== undefined) return { refusal };
  const ports = { exec, files, processes, clock, tool };
  return { provider: new ZfsProvider({ ...ports, workspace, dataset, folder, privateFolder }) };
}

interface Trial {
  readonly tool: ZfsTool;
  readonly files: Files;
  readonly dataset: Dataset;
  readonly folder: string;
  readonly privateFolder: string;
}

/** @returns the reason if it failed */
async function trySnapshot(trial: Trial): Promise<string | undefined> {
  const { tool, files, dataset, folder, privateFolder } = trial;
  // The name is always the same: if the probe can't be destroyed, later trials don't add others.
  const name = `${snapshotPrefix(folder, privateFolder)}probe`;
  const probe = `${dataset.name}@${name}`;
  const top = `${dataset.mountPoint === '/' ? '' : dataset.mountPoint}/.zfs/snapshot/${name}`;
  let step = 'take';
  try {
    if (!(await tool.exists(probe))) await tool.snapshot(probe);
    const isReadable = await files.canRead(`${joinPath(top, folder)}/.`);
    step = 'destroy';
    await tool.destroySnapshot(probe);
    return isReadable ? undefined : `The snapshots of ${dataset.name} can't be read in ${top}.`;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const left = step === 'destroy' ? ` ${probe} remains.` : '';
    return `This user may not ${step} ZFS snapshots of ${dataset.name} (${messageOf(error)}); to allow it: zfs allow USER snapshot,destroy,mount ${dataset.name}.${left}`;
  }
}
