import { messageOf } from '../../base/errors.ts';
import { hasEscapedBytes } from '../common/pathBytes.ts';
import type { Files } from '../common/ports.ts';
import type { Detection } from '../common/provider.ts';
import type { DetectOptions } from '../volume/detectOptions.ts';
import { mountsOf } from '../volume/mounts.ts';
import { joinPath, relativeTo } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import { snapshotPrefix } from './snapshotName.ts';
import { ZfsProvider } from './zfsProvider.ts';
import { ZfsTool, type Dataset } from './zfsTool.ts';

/** Takes a snapshot, reads it and destroys it. Nothing else says whether this user may. */
export async function detectZfs(options: DetectOptions): Promise<Detection> {
  const { exec, files, processes, clock, privateFolder, isOnlyKept } = options;
  const workspace = isOnlyKept ? options.workspace : await files.realPath(options.workspace);
  if (hasEscapedBytes(workspace)) {
    return { refusal: 'The name of the folder is not UTF-8, and zfs cannot be told of it.' };
  }
  const { around } = await mountsOf(files, workspace);
  if (around?.type !== 'zfs') return { refusal: `${workspace} is not on a ZFS file system.` };
  if (around.root !== '/') {
    return {
      refusal: `The snapshots of ${around.source} cannot be reached through ${around.folder}.`,
    };
  }
  const tool = await ZfsTool.find(exec);
  if (tool === undefined) {
    return { refusal: 'The command zfs is not installed (package zfsutils-linux).' };
  }
  const dataset = { name: around.source, mountPoint: around.folder };
  const folder = relativeTo(around.folder, workspace)!;
  const trial = { tool, files, dataset, folder, privateFolder };
  const refusal = options.isProven || isOnlyKept ? undefined : await trySnapshot(trial);
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

/** The reason why not. */
async function trySnapshot(trial: Trial): Promise<string | undefined> {
  const { tool, files, dataset, folder, privateFolder } = trial;
  // Always the same name: one that cannot be destroyed is not joined by others each time.
  const name = `${snapshotPrefix(folder, privateFolder)}probe`;
  const probe = `${dataset.name}@${name}`;
  const top = `${dataset.mountPoint === '/' ? '' : dataset.mountPoint}/.zfs/snapshot/${name}`;
  let step = 'take';
  try {
    if (!(await tool.exists(probe))) await tool.snapshot(probe);
    const isReadable = await files.canRead(`${joinPath(top, folder)}/.`);
    step = 'destroy';
    await tool.destroySnapshot(probe);
    return isReadable ? undefined : `The snapshots of ${dataset.name} cannot be read in ${top}.`;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const left = step === 'destroy' ? ` ${probe} is left behind.` : '';
    return `This user may not ${step} ZFS snapshots of ${dataset.name} (${messageOf(error)}); needed is: zfs allow USER snapshot,destroy,mount ${dataset.name}.${left}`;
  }
}
