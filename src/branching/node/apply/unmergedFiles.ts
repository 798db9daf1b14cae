import path from 'node:path';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { Omission } from '../../../snapshots/common/provider.ts';
import { areEqualFiles } from '../../../platform/node/files/equalFiles.ts';

/**
 * Only files left out for these reasons may be results of the branch's work; ignored files, sockets
 * and the like are not.
 */
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
    const ours = path.join(workspace, omission.path);
    const theirs = path.join(from.workspace, omission.path);
    if (!(await isKnownEqual(ours, theirs, signal))) unmerged.push(omission);
  }
  return unmerged;
}

async function isKnownEqual(ours: string, theirs: string, signal: AbortSignal): Promise<boolean> {
  try {
    return await areEqualFiles(ours, theirs, signal);
  } catch {
    signal.throwIfAborted();
    return false; // One of the files is missing, unreadable or not a regular file.
  }
}
