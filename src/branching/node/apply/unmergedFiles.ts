import path from 'node:path';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { Omission } from '../../../snapshots/common/provider.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** Results that are too large for a snapshot, or cannot be read. What is ignored is no result, and no more is a socket. */
const REASONS: readonly Omission['reason'][] = ['too-large', 'unreadable', 'unstable'];

/** What a branch made and does not come back with the rest of it: named, so that a person can bring it. */
export async function unmergedFiles(
  { workspace, from }: BranchRecord,
  leftOut: readonly Omission[],
  signal: AbortSignal,
): Promise<Omission[]> {
  const untaken: Omission[] = [];
  for (const omission of leftOut) {
    if (!REASONS.includes(omission.reason)) continue;
    const both = [workspace, from.workspace].map((folder) => path.join(folder, omission.path));
    // It does not keep them in memory.
    const { exitCode } = await nodeExec('cmp', ['-s', '--', ...both], { cwd: '/', signal });
    if (exitCode !== 0) untaken.push(omission);
  }
  return untaken;
}
