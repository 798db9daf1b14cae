import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import type { BranchKind } from '../../common/branchRecord.ts';
import type { MemoryRequest } from './agentMemory.ts';

/** The part of a branch's plan that its memory depends on. */
interface PlannedBranch extends Pick<MemoryRequest, 'agent' | 'moment' | 'message' | 'env'> {
  readonly snapshot: Pick<SnapshotLine, 'id'>;
  readonly kind: BranchKind;
  readonly carried: readonly string[];
}

/** @param workspace the branch's workspace */
export function memoryRequest(
  files: SessionFiles,
  plan: PlannedBranch,
  workspace: string,
  signal: AbortSignal,
): MemoryRequest {
  const { session, knownAs: from } = files;
  return {
    willHave: (relative) => willHave(files, plan, relative),
    agent: plan.agent,
    sessionFolder: session.folder,
    meta: session.meta,
    moment: plan.moment,
    message: plan.message,
    workspace: { from, to: workspace, isWorktree: plan.kind === 'worktree' },
    env: plan.env,
    home: plan.env['HOME'] ?? os.homedir(),
    signal,
  };
}

async function willHave(
  files: SessionFiles,
  { snapshot, carried }: PlannedBranch,
  relative: string,
): Promise<boolean> {
  if (carried.some((each) => relative === each || relative.startsWith(`${each}/`)))
    return existsSync(path.join(files.workspace, relative));
  const tree = await files.tree(snapshot.id);
  return tree.stat(relative).then(
    () => true,
    () => false, // The snapshot does not contain the file.
  );
}
