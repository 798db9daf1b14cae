import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../../branching/branchRecord.ts';
import { branchCaptures } from '../../../node/branching/branchCaptures.ts';
import { branchLaunchSpec } from '../../../node/branching/launchBranch.ts';
import type { LaunchSpec } from '../../../node/sessions/launchSpec.ts';
import { dataFolder } from '../../../node/paths.ts';
import { RecorderClient } from '../../../node/sessions/recorderClient.ts';
import { launchRecorder } from '../../../node/sessions/recorderLauncher.ts';
import { changeSessionNotes } from '../../../node/sessions/sessionNotes.ts';
import { DEFAULT_QUALITY } from '../../../recording/format.ts';
import { ownTerminalSize } from '../../ownTerminalSize.ts';
import { programEnvironment } from '../../programEnvironment.ts';
import { exitCodeOf, passThrough } from '../../terminalClient.ts';
import type { UnreviewedHooksOption } from '../unreviewedHooks.ts';

/** Starts what a branch runs, recorded, with nobody attached. */
export async function startBranch(
  distFolder: string,
  record: BranchRecord,
  options: UnreviewedHooksOption,
): Promise<void> {
  await start(distFolder, record, options, false);
}

/** The same in this terminal, until it ends. */
export async function runBranch(
  distFolder: string,
  record: BranchRecord,
  options: UnreviewedHooksOption,
): Promise<void> {
  const { spec, hostSocket } = await start(distFolder, record, options, true);
  const client = await RecorderClient.connect(hostSocket);
  const size = { cols: spec.cols, rows: spec.rows };
  const end = await passThrough(client, { from: 'start', size });
  if (end === 'detached') return;
  if (end === 'lost') {
    const message = `The recorder stopped unexpectedly. What it wrote is in ${spec.recording}.`;
    throw new UserError('host-lost', message);
  }
  process.exitCode = exitCodeOf(end);
}

async function start(
  distFolder: string,
  record: BranchRecord,
  { allowUnreviewedHooks = false }: UnreviewedHooksOption,
  waitForClient: boolean,
): Promise<{ spec: LaunchSpec; hostSocket: string }> {
  const spec = branchLaunchSpec(record, {
    sessionsFolder: path.join(dataFolder(), 'sessions'),
    env: programEnvironment(),
    ...ownTerminalSize(),
    brotliQ: DEFAULT_QUALITY,
    keepsFiles: process.env['AH_SNAPSHOTS'] !== '0',
    waitForClient,
    captures: await branchCaptures(record, {
      followsAgents: true,
      ...(allowUnreviewedHooks && { allowsUnreviewedHooks: true }),
    }),
  });
  const { hostSocket } = await launchRecorder(path.join(distFolder, 'host.cjs'), spec);
  await changeSessionNotes(spec.folder, {
    name: record.name,
    ...(spec.agent !== undefined && { agent: spec.agent }),
  });
  return { spec, hostSocket };
}
