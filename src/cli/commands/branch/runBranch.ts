import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { branchCaptures } from '../../../branching/node/make/branchCaptures.ts';
import { branchLaunchSpec } from '../../../branching/node/make/launchBranch.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import type { LaunchSpec, TerminalSize } from '../../../sessions/node/launchSpec.ts';
import { dataFolder } from '../../../platform/node/paths.ts';
import { RecorderClient } from '../../../sessions/node/recorderClient.ts';
import { launchRecorder } from '../../../sessions/node/recorderLauncher.ts';
import { changeSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { DEFAULT_QUALITY } from '../../../recording/format/format.ts';
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

interface StartedBranch {
  readonly spec: LaunchSpec;
  readonly size: TerminalSize;
  readonly hostSocket: string;
}

/** The same in this terminal, until it ends. */
export async function runBranch(
  distFolder: string,
  record: BranchRecord,
  options: UnreviewedHooksOption,
): Promise<void> {
  const { spec, size, hostSocket } = await start(distFolder, record, options, true);
  const client = await RecorderClient.connect(hostSocket);
  const end = await passThrough(client, { from: 'start', size });
  if (end === 'detached') return;
  if (end === 'lost') {
    const message = `The recorder stopped unexpectedly. What it wrote is in ${spec.recording}.`;
    throw new UserError('host-lost', message);
  }
  process.exitCode = exitCodeOf(end);
}

/** One that waits for a window of the editor waits no longer. @throws UserError unless it is started here, and once */
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
    `The branch “${name}” has been started before. See it: ah agent attach ${id}`,
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
  return new Catalogue().get(id).then(
    () => true,
    () => false,
  );
}
