import { SystemClock } from '../../../platform/node/systemClock.ts';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';
import { newSessionId } from '../../../sessions/node/recorderLauncher.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import type { BranchLaunch, BranchRecord } from '../../common/branchRecord.ts';
import { branchEnvironment } from '../../common/provenance.ts';
import { movedFolder } from '../branchWorkspace.ts';
import type { RestoredMemory } from '../memory/agentMemory.ts';
import type { BranchPlan } from '../plan/planBranch.ts';

/** The record of a planned branch, before anything of the branch is created. */
export function newBranchRecord(files: SessionFiles, plan: BranchPlan): BranchRecord {
  const { snapshot, moment, destination } = plan;
  return {
    version: 1,
    id: newSessionId(),
    name: plan.name,
    state: 'making',
    owner: nodeProcesses.own,
    createdAtNs: new SystemClock().nowNs(),
    kind: plan.kind,
    provider: plan.files.provider,
    destination,
    workspace: destination,
    from: {
      sessionId: files.session.meta.id,
      workspace: files.workspace,
      ...(files.knownAs !== files.workspace && { knownAs: files.knownAs }),
      snapshotId: snapshot.id,
      snapshotRef: plan.files.ref,
      byte: moment.byte,
      timeNs: moment.timeNs,
    },
    ...(plan.message !== undefined && { message: plan.message }),
  };
}

/** What the branch runs, and with which environment. */
export function branchLaunch(
  { id, name, from, workspace }: BranchRecord,
  { session, knownAs }: SessionFiles,
  plan: BranchPlan,
  { cmd, env, method, details }: RestoredMemory,
): Omit<BranchLaunch, 'warnings' | 'isWaiting'> {
  const provenance = {
    fromSessionId: from.sessionId,
    fromTs: from.timeNs,
    fromByte: from.byte,
    fsSnapshotId: from.snapshotId,
    method,
    name,
  };
  return {
    cmd,
    cwd: movedFolder(session.meta.cwd, knownAs, workspace),
    env: { ...env, ...branchEnvironment(id, provenance, from.workspace, plan.message) },
    ...(plan.agent !== undefined && { agent: plan.agent }),
    method,
    details,
  };
}
