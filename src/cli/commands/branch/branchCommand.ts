import path from 'node:path';
import { Command, Option } from 'commander';
import { UserError } from '../../../base/errors.ts';
import type { BranchKind, BranchRecord } from '../../../branching/common/branchRecord.ts';
import { DEFAULT_CARRIED } from '../../../branching/common/carriedFiles.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { knownMemory } from '../../../branching/node/memory/knownMemory.ts';
import { makeBranch, type MakingStep } from '../../../branching/node/make/makeBranch.ts';
import {
  planBranch,
  type BranchPlan,
  type BranchRequest,
} from '../../../branching/node/plan/planBranch.ts';
import {
  checkNoneRuns,
  sessionsInFolder,
} from '../../../branching/node/remove/sessionsInFolder.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { RecorderClient } from '../../../sessions/node/recorderClient.ts';
import type { SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { parseMoment, type Moment } from '../../arguments.ts';
import { programEnvironment } from '../../programEnvironment.ts';
import { parseSnapshotId } from '../../snapshotArgument.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { StepLine } from '../../progress.ts';
import { branchJson, printPlan, printWarnings, stepText, warningsOf } from './branchText.ts';
import { cancelled } from './cancelled.ts';
import { runBranch, startBranch } from './runBranch.ts';
import { UNREVIEWED_HOOKS } from '../unreviewedHooks.ts';
import { removeCommand } from './remove.ts';
import { startCommand } from './start.ts';
import { takeCommand } from './take.ts';

/** More people than that do not branch at the same moment. */
const MAX_TRIES = 20;

interface Options {
  readonly session?: string;
  readonly snapshot?: bigint;
  readonly at?: Moment | 'now';
  readonly nearest?: boolean;
  readonly name?: string;
  readonly message?: string;
  readonly dest?: string;
  readonly movedTo?: string;
  readonly inPlace?: boolean;
  readonly worktree?: boolean;
  readonly clone?: boolean;
  /** False for none. */
  readonly carry?: readonly string[] | false;
  readonly link?: boolean;
  readonly launch: boolean;
  readonly allowUnreviewedHooks?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function branchCommand(distFolder: string): Command {
  return new Command('branch')
    .description('go on from a moment: the same files, the same agent, a new instruction')
    .enablePositionalOptions()
    .addOption(sessionOption())
    .option('--snapshot <n>', 'from this snapshot', parseSnapshotId)
    .option(
      '--at <time|@byte|now>',
      'from this moment: 95.5, 1:35, @198000, a date and time, or now',
      (text) => (text === 'now' ? 'now' : parseMoment(text)),
    )
    .option('--nearest', 'when that snapshot cannot be used, take the nearest one that can')
    .option('--name <name>', 'what it is called (default: made of the message)')
    .option('--message <text>', 'the new instruction, the first thing that the agent is told')
    .option('--dest <folder>', 'where it goes (default: beside the workspace)')
    .option('--moved-to <folder>', 'where the project of the session is now, if it has moved')
    .addOption(
      new Option('--in-place', 'put the files back in the original folder instead').conflicts([
        'worktree',
        'clone',
        'dest',
      ]),
    )
    .addOption(new Option('--worktree', 'make a git worktree, or nothing').conflicts('clone'))
    .option('--clone', 'make a clone, or nothing')
    .option('--carry <names...>', 'ignored files that come along, such as .env* node_modules')
    .option('--no-carry', 'no ignored files come along')
    .option('--link', 'link to the ignored files of the original instead of copying them')
    .option('--no-launch', 'do not start the agent')
    .option(...UNREVIEWED_HOOKS)
    .option('--dry-run', 'only show what would be done')
    .option('--json', 'for programs; the agent then runs without a terminal of yours')
    .action((options: Options) => branch(distFolder, options))
    .addCommand(startCommand(distFolder))
    .addCommand(takeCommand())
    .addCommand(removeCommand());
}

async function branch(distFolder: string, options: Options): Promise<void> {
  if ((options.snapshot === undefined) === (options.at === undefined)) {
    throw new UserError(
      'bad-argument',
      'Say from where: --snapshot N, or --at TIME, @BYTE or now.',
    );
  }
  const movedTo = options.movedTo === undefined ? undefined : path.resolve(options.movedTo);
  const work = (files: SessionFiles) => makeOne(files, options);
  const record = await withSessionFiles(options.session, work, movedTo);
  if (!record) return;
  if (options.json) {
    if (options.launch) await startBranch(distFolder, record, options);
    process.stdout.write(`${branchJson(record, options.launch)}\n`);
    return;
  }
  process.stderr.write(`ah: The branch “${record.name}” is in ${record.workspace}\n`);
  if (options.launch) await runBranch(distFolder, record, options);
}

/** Nothing when it was only to be shown. */
async function makeOne(files: SessionFiles, options: Options): Promise<BranchRecord | undefined> {
  await checkInPlace(files, options);
  const request = await requestOf(files, options);
  // A name that we found free may be somebody else's a moment later; then there is another one.
  const isOurChoice = options.name === undefined && options.dest === undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await tryOne(files, request, options);
    } catch (error) {
      const isTaken = error instanceof UserError && error.code === 'destination-exists';
      if (!isTaken || !isOurChoice || tries === MAX_TRIES) throw error;
    }
  }
}

async function tryOne(
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
  const record = await cancelled((signal) =>
    makeBranch(files, plan, parts, { signal, ...making }),
  ).finally(() => line.done());
  if (!options.json) printUnforeseen(plan, record);
  return record;
}

/** What the plan had not said. */
function printUnforeseen(plan: BranchPlan, { launch }: BranchRecord): void {
  const foreseen = warningsOf(plan);
  printWarnings(launch?.warnings.filter((warning) => !foreseen.includes(warning)) ?? []);
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
    ...{ name, message, kind: kindOf(options), carried },
    isCarriedNamed: carried === options.carry,
    destination: dest === undefined ? undefined : path.resolve(dest),
    carryMode: options.link ? 'link' : 'copy',
    env: programEnvironment(),
    signal: new AbortController().signal,
  };
}

async function pointOf(
  files: SessionFiles,
  { snapshot, at }: Options,
): Promise<BranchRequest['at']> {
  if (snapshot !== undefined) {
    files.find(snapshot);
    return { kind: 'snapshot', id: snapshot };
  }
  if (at !== 'now') return at!;
  const { meta } = files.session;
  // A recorder that was killed takes none any more.
  if (meta.state === 'running' && (await isAlive(files.session)))
    await takeSnapshot(meta.hostSocket);
  await files.refresh();
  const last = files.snapshots.at(-1);
  if (!last) throw new UserError('no-snapshot', 'No files have been kept in this session.');
  return { kind: 'snapshot', id: last.id };
}

/** As it is right now. */
async function takeSnapshot(hostSocket: string): Promise<void> {
  const client = await RecorderClient.connect(hostSocket);
  try {
    const line = await client.snapshot({ label: 'Branch', kind: 'manual', trigger: 'manual' });
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

/** Whichever session it is: its files would be replaced under it. */
async function checkInPlace({ workspace }: SessionFiles, { inPlace }: Options): Promise<void> {
  if (inPlace) checkNoneRuns(await sessionsInFolder(workspace), workspace);
}

/** A snapshot that was asked for by its number is not replaced by another without a word. */
function checkChoice({ snapshot, passedOver }: BranchPlan, options: Options): void {
  const [first] = passedOver;
  if (!first) return;
  const instead = `The nearest one that can be used is ${snapshot.id}, “${snapshot.label}”.`;
  if (options.snapshot === undefined || options.nearest) {
    process.stderr.write(
      `ah: Snapshot ${first.line.id} cannot be used: ${first.reason} ${instead}\n`,
    );
    return;
  }
  throw new UserError(
    'no-files',
    `${first.reason} ${instead} Say --snapshot ${snapshot.id}, or add --nearest.`,
  );
}
