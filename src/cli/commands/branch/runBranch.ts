import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { branchCaptures } from '../../../branching/node/make/branchCaptures.ts';
import { branchLaunchSpec } from '../../../branching/node/make/launchBranch.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import type { TerminalSize } from '../../../base/terminalSize.ts';
import type { LaunchSpec } from '../../../sessions/node/launchSpec.ts';
import { dataFolder } from '../../../platform/node/paths.ts';
import { RecorderClient } from '../../../sessions/node/recorderClient.ts';
import { launchRecorder } from '../../../sessions/node/recorderLauncher.ts';
import { changeSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { DEFAULT_QUALITY } from '../../../recording/format/format.ts';
import { ownTerminalSize } from '../../terminal/ownTerminalSize.ts';
import { programEnvironment } from '../../programEnvironment.ts';
import { passThrough, setExitCode } from '../../terminal/terminalClient.ts';
import type { UnreviewedHooksOption } from '../unreviewedHooks.ts';

/** Starts the program of a branch under a recorder and returns without attaching to it. */
export async function startBranch(
  distFolder: string,
  record: BranchRecord,
  options: UnreviewedHooksOption,
): Promise<void> {
  await start(distFolder, record, options, false);
}

interface StartedBranch {
  readonly spec: LaunchSpec;
  readonly size: TerminalSize;
  readonly hostSocket: string;
}

/** Starts the program of a branch in this terminal and returns when it ends. */
export async function runBranch(
  distFolder: string,
  record: BranchRecord,
  options: UnreviewedHooksOption,
): Promise<void> {
  const { spec, size, hostSocket } = await start(distFolder, record, options, true);
  const client = await RecorderClient.connect(hostSocket);
  const end = await passThrough(client, { from: 'start', size });
  if (end === 'detached') return;
  setExitCode(end, spec.recording);
}

/** @throws UserError when the branch has been started before */
async function start(
  distFolder: string,
  { id, name }: BranchRecord,
  options: UnreviewedHooksOption,
  waitForClient: boolean,
): Promise<StartedBranch> {
  const launched = await new BranchRegistry().launch(id, async (record) =>
    (await isStarted(record)) ? undefined : launch(distFolder, record, options, waitForClient),
  );
  if (launched) return launched;
  throw new UserError(
    'started-before',
    `“${name}” has already been started. To see it: ah agent attach ${id}`,
  );
}

async function launch(
  distFolder: string,
  record: BranchRecord,
  { allowUnreviewedHooks = false }: UnreviewedHooksOption,
  waitForClient: boolean,
): Promise<StartedBranch> {
  const spec = branchLaunchSpec(record, {
    sessionsFolder: path.join(dataFolder(), 'sessions'),
    env: programEnvironment(),
    brotliQ: DEFAULT_QUALITY,
    keepsFiles: process.env['AH_SNAPSHOTS'] !== '0',
    waitForClient,
    captures: await branchCaptures(record, {
      followsAgents: true,
      integratesShell: true,
      ...(allowUnreviewedHooks && { allowsUnreviewedHooks: true }),
    }),
  });
  const hostFile = path.join(distFolder, 'host.cjs');
  const size = ownTerminalSize();
  const { hostSocket } = await launchRecorder(hostFile, spec, size);
  await changeSessionNotes(spec.folder, {
    name: record.name,
    ...(spec.agent !== undefined && { agent: spec.agent }),
  });
  return { spec, size, hostSocket };
}

function isStarted({ id }: BranchRecord): Promise<boolean> {
  // get() rejects for a branch that was never started.
  return new Catalogue().get(id).then(
    () => true,
    () => false,
  );
}
