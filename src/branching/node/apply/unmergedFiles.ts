import path from 'node:path';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { Omission } from '../../../snapshots/common/provider.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** Only these may be results of the branch's work; ignored files, sockets and the like are not. */
const REASONS: readonly Omission['reason'][] = ['too-large', 'unreadable', 'unstable'];

/** Files that the branch has changed but that are not applied, so that the user can copy them. */
export async function unmergedFiles(
  { workspace, from }: BranchRecord,
  leftOut: readonly Omission[],
  signal: AbortSignal,
): Promise<Omission[]> {
  const unmerged: Omission[] = [];
  for (const omission of leftOut) {
    if (!REASONS.includes(omission.reason)) continue;
    const both = [workspace, from.workspace].map((folder) => path.join(folder, omission.path));
    // `cmp` compares files of any size without reading them into memory.
    const { exitCode } = await nodeExec('cmp', ['-s', '--', ...both], { cwd: '/', signal });
    if (exitCode !== 0) unmerged.push(omission);
  }
  return unmerged;
}
