import path from 'node:path';
import { existsSync, rmSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { isShellWithoutMarks } from '../../agents/common/shellIntegration.ts';
import { agentOfCommand } from '../../agents/common/agentCommand.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { findProgram } from '../../platform/node/processes/findProgram.ts';
import {
  MAX_SNAPSHOT_MINUTES,
  parseIpcChoice,
  type LaunchSpec,
} from '../../sessions/node/launchSpec.ts';
import {
  defaultSessionFolder,
  launchRecorder,
  newSessionId,
} from '../../sessions/node/recorderLauncher.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { workspaceOf } from '../../snapshots/node/open/workspaceOf.ts';
import { DEFAULT_QUALITY } from '../../recording/format/format.ts';
import { MAX_TERMINAL_SIDE } from '../../base/terminalLimits.ts';
import { numberUpTo, wholeNumber } from '../arguments.ts';
import { writeBranchPoints } from '../recordings/branchPointsText.ts';
import { ownTerminalSize } from '../terminal/ownTerminalSize.ts';
import { programEnvironment } from '../programEnvironment.ts';
import { StepLine } from '../progress.ts';
import { reportInterrupted } from '../reportInterrupted.ts';
import { passThrough, setExitCode } from '../terminal/terminalClient.ts';
import { UNREVIEWED_HOOKS } from './unreviewedHooks.ts';

interface RecordOptions {
  readonly outFile?: string;
  readonly overwrite?: boolean;
  readonly outBranchPoints?: string;
  readonly brotliQ: number;
  readonly cols?: number;
  readonly rows?: number;
  readonly ipc: string;
  readonly snapshots: boolean;
  readonly snapshotMinutes?: number;
  readonly workspace?: string;
  readonly events: boolean;
  readonly input?: boolean;
  readonly shellIntegration: boolean;
  readonly redact?: boolean;
  readonly allowUnreviewedHooks?: boolean;
}

export function recordCommand(distFolder: string): Command {
  const side = wholeNumber(1, MAX_TERMINAL_SIDE);
  return new Command('record')
    .description('Run a command in a terminal and record every byte it prints')
    .usage('[options] -- <command> [arguments...]')
    .argument('<command...>', 'The command to run, after --')
    .option('--out-file <file>', 'Write the recording to this file instead of creating a session')
    .option('--overwrite', 'Replace the --out-file if it exists')
    .option(
      '--out-branch-points <file>',
      'When the command ends, write its branch points to this file as JSON',
    )
    .option(
      '--brotli-q <0..11>',
      'Brotli quality; 11 makes the smallest recording',
      wholeNumber(0, 11),
      DEFAULT_QUALITY,
    )
    .option('--cols <n>', 'Columns of the terminal (default: those of this terminal)', side)
    .option('--rows <n>', 'Rows of the terminal (default: those of this terminal)', side)
    .option(
      '--ipc <auto|uds|tcp:host:port>',
      'Socket on which programs can announce snapshots',
      'auto',
    )
    .option(
      '--workspace <folder>',
      'The folder to take snapshots of (default: the current repository or folder)',
    )
    .option('--no-events', 'Record only the terminal, not the activity of a known agent')
    .option('--input', 'Also record typed input, except while the terminal hides it')
    .option(
      '--redact',
      'Replace recognizable keys, tokens and passwords with asterisks before writing them',
    )
    .option(
      '--no-shell-integration',
      'Leave bash, zsh and fish without shell integration: no snapshots after their commands',
    )
    .option(...UNREVIEWED_HOOKS)
    .option('--no-snapshots', 'Take no snapshots (same as AH_SNAPSHOTS=0)')
    .option(
      '--snapshot-minutes <n>',
      'Minutes between automatic snapshots; 0 disables them (default: 5)',
      numberUpTo(MAX_SNAPSHOT_MINUTES),
    )
    .action((command: string[], options: RecordOptions) => record(distFolder, command, options));
}

async function record(
  distFolder: string,
  command: string[],
  options: RecordOptions,
): Promise<void> {
  const cwd = process.cwd();
  const [name = '', ...args] = command;
  const program = findProgram(name, process.env, cwd);
  const ipc = parseIpcChoice(options.ipc);
  const outFile = options.outFile === undefined ? undefined : path.resolve(options.outFile);
  if (options.outBranchPoints) checkFolderOf(options.outBranchPoints);
  if (outFile) clearOutFile(outFile, options.overwrite === true);

  const id = newSessionId();
  const folder = defaultSessionFolder(id);
  const recording = outFile ?? path.join(folder, 'session.ahr');
  const ownSize = ownTerminalSize();
  const spec: LaunchSpec = {
    id,
    folder,
    recording,
    isExternal: outFile !== undefined,
    cmd: [program, ...args],
    cwd,
    ...snapshotWorkspace(options, cwd),
    ...(options.snapshotMinutes !== undefined && { snapshotMinutes: options.snapshotMinutes }),
    ...followedAgent(options, command),
    ...(options.shellIntegration && { integratesShell: true }),
    ...(options.input && { capturesInput: true }),
    ...(options.redact && { redacts: true }),
    ...(options.allowUnreviewedHooks === true && { allowsUnreviewedHooks: true }),
    env: programEnvironment(),
    brotliQ: options.brotliQ,
    ipc,
    waitForClient: true,
  };
  const size = { cols: options.cols ?? ownSize.cols, rows: options.rows ?? ownSize.rows };
  const launching = launchRecorder(path.join(distFolder, 'host.cjs'), spec, size);
  // Report killed sessions while the recorder starts, before the program prints anything.
  await reportInterrupted();
  if (spec.workspace !== undefined && isShellWithoutMarks(command)) warnWithoutMarks(command);
  const step = new StepLine();
  if (spec.workspace !== undefined) {
    step.update('Taking the first snapshot before the program starts…');
  }
  const { hostSocket } = await launching.finally(() => step.done());
  const client = await RecorderClient.connect(hostSocket);
  const end = await passThrough(client, { from: 'start', size });
  if (end === 'detached') return;
  setExitCode(end, recording);
  if (options.outBranchPoints) await saveBranchPoints(recording, options.outBranchPoints);
}

function warnWithoutMarks(command: readonly string[]): void {
  process.stderr.write(
    `ah: There is no snapshot after each command: AH can't follow the commands of "${command.join(' ')}". ` +
      'Record bash, zsh or fish with its usual startup files, or run "ah agent fs snapshot" in the session.\n',
  );
}

/** Reports an error without changing the exit code, which is that of the recorded program. */
async function saveBranchPoints(recording: string, target: string): Promise<void> {
  try {
    await writeBranchPoints(recording, target);
  } catch (error) {
    process.stderr.write(`ah: Can't write the branch points: ${messageOf(error)}\n`);
  }
}

/** With --out-file there is no session, so nothing could list the snapshots. */
function snapshotWorkspace(options: RecordOptions, cwd: string): { workspace?: string } {
  if (
    options.workspace !== undefined &&
    !statSync(options.workspace, { throwIfNoEntry: false })?.isDirectory()
  ) {
    throw new UserError(
      'bad-argument',
      `The --workspace folder ${options.workspace} does not exist.`,
    );
  }
  const isOff = !options.snapshots || process.env['AH_SNAPSHOTS'] === '0';
  if (isOff || options.outFile !== undefined) return {};
  return { workspace: options.workspace ? path.resolve(options.workspace) : workspaceOf(cwd) };
}

function followedAgent(options: RecordOptions, command: readonly string[]): { agent?: string } {
  const agent = agentOfCommand(command);
  return agent && options.events && options.outFile === undefined ? { agent: agent.id } : {};
}

function checkFolderOf(file: string): void {
  if (existsSync(path.dirname(path.resolve(file)))) return;
  throw new UserError('bad-argument', `The folder of ${file} does not exist.`);
}

function clearOutFile(file: string, overwrite: boolean): void {
  checkFolderOf(file);
  if (existsSync(file) && !overwrite) {
    throw new UserError(
      'bad-argument',
      `${file} already exists. Choose another name or add --overwrite.`,
    );
  }
  rmSync(file, { force: true });
}
