import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { Provenance } from '../../common/provenance.ts';
import { findProgram } from '../../../platform/node/processes/findProgram.ts';
import { launchCaptures, type Captures } from '../../../sessions/node/launchCaptures.ts';
import { parseIpcChoice, type LaunchSpec } from '../../../sessions/node/launchSpec.ts';

export interface LaunchPlace {
  /** Where sessions are kept. */
  readonly sessionsFolder: string;
  /** Of whoever launches it; the branch's own is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly brotliQ: number;
  readonly keepsFiles: boolean;
  readonly snapshotMinutes?: number;
  /** What is kept beside what the terminal shows; as the command line does unless told. */
  readonly captures?: Captures;
  readonly waitForClient: boolean;
}

/** What a recorder has to be told to run a branch. @throws UserError when it cannot run */
export function branchLaunchSpec(record: BranchRecord, place: LaunchPlace): LaunchSpec {
  const { launch, id } = record;
  if (record.state !== 'ready' || !launch) {
    throw new UserError('not-ready', `The branch “${record.name}” is not complete.`);
  }
  const folder = path.join(place.sessionsFolder, id);
  const env = { ...withoutBranch(place.env), ...launch.env };
  const [program = '', ...args] = launch.cmd;
  return {
    ...{ id, folder, recording: path.join(folder, 'session.ahr'), isExternal: false },
    ...{ cmd: [findProgram(program, env, launch.cwd), ...args], cwd: launch.cwd, env },
    ...(place.keepsFiles && { workspace: record.workspace }),
    ...(place.snapshotMinutes !== undefined && { snapshotMinutes: place.snapshotMinutes }),
    ...launchCaptures(place.captures ?? { followsAgents: true }, launch.agent),
    brotliQ: place.brotliQ,
    ...{ ipc: parseIpcChoice('auto'), waitForClient: place.waitForClient },
    branchOf: provenanceOf(record),
  };
}

export function provenanceOf({ from, launch, name }: BranchRecord): Provenance {
  return {
    ...{ fromSessionId: from.sessionId, fromTs: from.timeNs, fromByte: from.byte },
    ...{ fsSnapshotId: from.snapshotId, method: launch?.method ?? 'replay', name },
    agentDetails: launch?.details ?? {},
  };
}

/** Whoever launches it may be in a branch itself, of which this one is none. */
function withoutBranch(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AH_BRANCH_')));
}
