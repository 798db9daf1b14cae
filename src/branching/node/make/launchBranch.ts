import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { Provenance } from '../../common/provenance.ts';
import { findProgram } from '../../../platform/node/processes/findProgram.ts';
import { launchCaptures, type Captures } from '../../../sessions/node/launchCaptures.ts';
import { parseIpcChoice, type LaunchSpec } from '../../../sessions/node/launchSpec.ts';

export interface LaunchPlace {
  /** Folder of all sessions' folders. */
  readonly sessionsFolder: string;
  /** Environment of the launching process; the branch's own variables are added. */
  readonly env: Readonly<Record<string, string>>;
  readonly brotliQ: number;
  readonly keepsFiles: boolean;
  readonly snapshotMinutes?: number;
  /** What to capture besides the terminal; by default only the activity of known agents. */
  readonly captures?: Captures;
  /** As in {@link LaunchSpec}. */
  readonly unicodeVersion?: UnicodeVersion;
  /** As in {@link LaunchSpec}. */
  readonly scrollbackLines?: number;
  readonly waitForClient: boolean;
}

/** The specification for the recorder of a branch. @throws UserError when the branch can't run */
export function branchLaunchSpec(record: BranchRecord, place: LaunchPlace): LaunchSpec {
  const { launch, id } = record;
  if (record.state !== 'ready' || !launch) {
    throw new UserError(
      'not-ready',
      `Can't start “${record.name}”: the branch is not complete. Discard it and branch again.`,
    );
  }
  const folder = path.join(place.sessionsFolder, id);
  const env = { ...withoutBranch(place.env), ...launch.env };
  const [program = '', ...args] = launch.cmd;
  return {
    id,
    folder,
    recording: path.join(folder, 'session.ahr'),
    isExternal: false,
    cmd: [findProgram(program, env, launch.cwd), ...args],
    cwd: launch.cwd,
    env,
    ...(place.keepsFiles && { workspace: record.workspace }),
    ...(place.snapshotMinutes !== undefined && { snapshotMinutes: place.snapshotMinutes }),
    ...launchCaptures(place.captures ?? { followsAgents: true }, launch.agent),
    brotliQ: place.brotliQ,
    ipc: parseIpcChoice('auto'),
    ...(place.unicodeVersion && { unicodeVersion: place.unicodeVersion }),
    ...(place.scrollbackLines !== undefined && { scrollbackLines: place.scrollbackLines }),
    waitForClient: place.waitForClient,
    branchOf: provenanceOf(record),
  };
}

function provenanceOf({ from, launch, name }: BranchRecord): Provenance {
  return {
    fromSessionId: from.sessionId,
    fromTs: from.timeNs,
    fromByte: from.byte,
    fsSnapshotId: from.snapshotId,
    method: launch?.method ?? 'replay',
    name,
    agentDetails: launch?.details ?? {},
  };
}

/** The launching process may run in another branch, whose variables must not be inherited. */
function withoutBranch(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AH_BRANCH_')));
}
