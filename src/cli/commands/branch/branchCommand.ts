import path from 'node:path';
import { Command, Option } from 'commander';
import { UserError } from '../../../base/errors.ts';
import type { BranchKind, BranchRecord } from '../../../branching/common/branchRecord.ts';
import { DEFAULT_CARRIED } from '../../../branching/common/carriedFiles.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { knownMemory } from '../../../branching/node/memory/knownMemory.ts';

import { startOfRecording } from '../../../branching/node/plan/momentPlace.ts';
import { makeBranch } from '../../../branching/node/make/makeBranch.ts';
import type { MakingStep } from '../../../branching/node/make/makeOptions.ts';
import {
  planBranch,
  type BranchPlan,
  type BranchRequest,
} from '../../../branching/node/plan/planBranch.ts';
import {
  checkNotRunning,
  sessionsInFolder,
} from '../../../branching/node/remove/sessionsInFolder.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { RecorderClient } from '../../../sessions/node/recorderClient.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import { parseMoment, parseSnapshotId, type MomentOption } from '../../arguments.ts';
import { programEnvironment } from '../../programEnvironment.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { StepLine } from '../../progress.ts';
import { branchJson, printPlan, printWarnings, stepText, warningsOf } from './branchText.ts';
import { withCancellation } from './withCancellation.ts';
import { runBranch, startBranch } from './runBranch.ts';
import { UNREVIEWED_HOOKS } from '../unreviewedHooks.ts';
import { discardCommand } from './discard.ts';
import { startCommand } from './start.ts';
import { applyCommand } from './apply.ts';

/**
 * Attempts to plan and create a branch with a default name. More branches at once are not expected.
 */
const MAX_TRIES = 20;

interface Options {
  readonly session?: string;
  readonly snapshot?: bigint;
  readonly at?: MomentOption | 'now';
  readonly nearest?: boolean;
  readonly name?: string;
  readonly message?: string;
  readonly dest?: string;
  readonly movedTo?: string;
  readonly inPlace?: boolean;
  readonly worktree?: boolean;
  readonly clone?: boolean;
  /** `false` for --no-carry. */
  readonly carry?: readonly string[] | false;
  readonly link?: boolean;
  readonly launch: boolean;
  readonly allowUnreviewedHooks?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function branchCommand(distFolder: string): Command {
  return new Command('branch')
    .description(
      'Branch from a moment: restart the agent with the files of that moment and a new instruction',
    )
    .enablePositionalOptions()
    .addOption(sessionOption())
    .option('--snapshot <n>', 'Branch from this snapshot', parseSnapshotId)
    .option(
      '--at <time|@byte|now>',
      'Branch from this moment: 95.5, 1:35, @198000, a date and time, or now',
      (text) => (text === 'now' ? 'now' : parseMoment(text)),
    )
    .option('--nearest', 'Use the nearest usable snapshot when --snapshot is not usable')
    .option('--name <name>', 'Name of the branch (default: derived from the message)')
    .option('--message <text>', 'New instruction, the first message to the agent')
    .option('--dest <folder>', 'Folder to create (default: beside the workspace)')
    .option('--moved-to <folder>', 'Where the workspace is now, if it has moved')
    .addOption(
      new Option(
        '--in-place',
        'Restore the files in the original folder instead of a new one',
      ).conflicts(['worktree', 'clone', 'dest']),
    )
    .addOption(new Option('--worktree', 'Create a git worktree, or fail').conflicts('clone'))
    .option('--clone', 'Create a clone of the snapshot, or fail')
    .option('--carry <names...>', 'Ignored files to copy, such as .env* node_modules')
    .option('--no-carry', 'Copy no ignored files')
    .option('--link', 'Link to the ignored files of the original instead of copying them')
    .option('--no-launch', 'Do not start the agent')
    .option(...UNREVIEWED_HOOKS)
    .option('--dry-run', 'Show what would be done')
    .option('--json', 'Print JSON and start the agent in the background')
    .action((options: Options) => branch(distFolder, options))
    .addCommand(startCommand(distFolder))
    .addCommand(applyCommand())
    .addCommand(discardCommand());
}

async function branch(distFolder: string, options: Options): Promise<void> {
  if ((options.snapshot === undefined) === (options.at === undefined)) {
    throw new UserError(
      'bad-argument',
      'Name the moment to branch from: --snapshot N or --at TIME, @BYTE or now.',
    );
  }
  const movedTo = options.movedTo === undefined ? undefined : path.resolve(options.movedTo);
  const work = (files: SessionFiles) => createBranch(files, options);
  const record = await withSessionFiles(options.session, work, movedTo);
  if (!record) return;
  if (options.json) {
    if (options.launch) await startBranch(distFolder, record, options);
    process.stdout.write(`${branchJson(record, options.launch)}\n`);
    return;
  }
  process.stderr.write(`ah: Created “${record.name}” in ${record.workspace}\n`);
  if (options.launch) await runBranch(distFolder, record, options);
}

/** @returns undefined with --dry-run, which creates no branch */
async function createBranch(
  files: SessionFiles,
  options: Options,
): Promise<BranchRecord | undefined> {
  await checkInPlace(files, options);
  const request = await requestOf(files, options);
  // Another process can take the default name between planning and creating; then plan again.
  const isDefaultName = options.name === undefined && options.dest === undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await planAndMake(files, request, options);
    } catch (error) {
      const isTaken = error instanceof UserError && error.code === 'destination-exists';
      if (!isTaken || !isDefaultName || tries === MAX_TRIES) throw error;
    }
  }
}

async function planAndMake(
  files: SessionFiles,
  request: BranchRequest,
  options: Options,
): Promise<BranchRecord | undefined> {
  const parts = { registry: new BranchRegistry(), memory: knownMemory };
  const plan = await planBranch(files, request, parts);
  checkChoice(plan, options);
  if (options.dryRun) return reportPlan(plan, options);
  if (!options.json) printPlan(plan);
  const line = new StepLine();
  const onProgress = (step: MakingStep, detail: string): void => {
    if (!options.json) line.update(stepText(step, detail));
  };
  const making = { isWaiting: false, onProgress };
  const record = await withCancellation((signal) =>
    makeBranch(files, plan, parts, { signal, ...making }),
  ).finally(() => line.done());
  if (!options.json) printLateWarnings(plan, record);
  return record;
}

/** Prints the warnings that arose after the plan was printed. */
function printLateWarnings(plan: BranchPlan, { launch }: BranchRecord): void {
  const printed = warningsOf(plan);
  printWarnings(launch?.warnings.filter((warning) => !printed.includes(warning)) ?? []);
}

function reportPlan(plan: BranchPlan, { json }: Options): undefined {
  if (json) process.stdout.write(`${branchJson(plan)}\n`);
  else printPlan(plan);
  return undefined;
}

async function requestOf(files: SessionFiles, options: Options): Promise<BranchRequest> {
  const { name, message, dest } = options;
  const carried = options.carry === false ? [] : (options.carry ?? DEFAULT_CARRIED);
  return {
    at: await pointOf(files, options),
    name,
    message,
    kind: kindOf(options),
    carried,
    isCarriedNamed: carried === options.carry,
    destination: dest === undefined ? undefined : path.resolve(dest),
    carryMode: options.link ? 'link' : 'copy',
    env: programEnvironment(),
    signal: new AbortController().signal,
  };
}

async function pointOf(
  files: SessionFiles,
  { snapshot, at, name }: Options,
): Promise<BranchRequest['at']> {
  if (snapshot !== undefined) {
    files.find(snapshot);
    return { snapshotId: snapshot };
  }
  const { meta } = files.session;
  if (at !== undefined && at !== 'now') {
    if (!('elapsedSeconds' in at)) return at;
    const startNs = await startOfRecording(meta.recording);
    return { timeNs: startNs + BigInt(Math.round(at.elapsedSeconds * 1e9)) };
  }
  // A killed recorder leaves the state “running” behind, but can't take a snapshot.
  if (meta.state === 'running' && (await isAlive(files.session)))
    await takeSnapshot(meta.hostSocket, name);
  await files.refresh();
  const last = files.snapshots.at(-1);
  if (!last) throw new UserError('no-snapshot', 'This session has no snapshot.');
  return { snapshotId: last.id };
}

/** Asks the running recorder for a snapshot of the current files. */
async function takeSnapshot(hostSocket: string, branch: string | undefined): Promise<void> {
  const client = await RecorderClient.connect(hostSocket);
  const label = branch === undefined ? 'Before branching' : `Before branch ${branch}`;
  try {
    const line = await client.snapshot({ label, kind: 'manual', trigger: 'manual' });
    if (line?.files.state === 'failed') throw new UserError('no-files', line.files.reason);
  } finally {
    client.dispose();
  }
}

function kindOf({ inPlace, worktree, clone }: Options): BranchKind | undefined {
  if (inPlace) return 'in-place';
  if (worktree) return 'worktree';
  return clone ? 'clone' : undefined;
}

/** Refuses --in-place while any session runs in the folder: its files would change under it. */
async function checkInPlace({ workspace }: SessionFiles, { inPlace }: Options): Promise<void> {
  if (inPlace) checkNotRunning(await sessionsInFolder(workspace), workspace);
}

/**
 * If the chosen snapshot can't be used, reports which one replaces it.
 * @throws UserError if the user chose the snapshot by number and did not add --nearest
 */
function checkChoice({ snapshot, passedOver }: BranchPlan, options: Options): void {
  const [first] = passedOver;
  if (!first) return;
  const instead = `The nearest usable snapshot is ${snapshot.id}, “${snapshot.label}”.`;
  if (options.snapshot === undefined || options.nearest) {
    process.stderr.write(`ah: Can't use snapshot ${first.line.id}: ${first.reason} ${instead}\n`);
    return;
  }
  throw new UserError(
    'no-files',
    `${first.reason} ${instead} Use --snapshot ${snapshot.id}, or add --nearest.`,
  );
}
