import path from 'node:path';
import { existsSync, rmSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { agentOfCommand } from '../../agents/common/detect.ts';
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
import { workspaceOf } from '../../snapshots/node/workspaceOf.ts';
import { DEFAULT_QUALITY } from '../../recording/format/format.ts';
import { MAX_TERMINAL_SIDE } from '../../base/terminalLimits.ts';
import { numberUpTo, wholeNumber } from '../arguments.ts';
import { writeBranchPoints } from '../branchPointsText.ts';
import { ownTerminalSize } from '../ownTerminalSize.ts';
import { programEnvironment } from '../programEnvironment.ts';
import { reportInterrupted } from '../reportInterrupted.ts';
import { exitCodeOf, passThrough } from '../terminalClient.ts';
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
  readonly redact?: boolean;
  readonly allowUnreviewedHooks?: boolean;
}

export function recordCommand(distFolder: string): Command {
  const side = wholeNumber(1, MAX_TERMINAL_SIDE);
  return new Command('record')
    .description('run a command in a terminal and record every byte of it')
    .usage('[options] -- <command> [arguments...]')
    .argument('<command...>', 'what to run, after --')
    .option('--out-file <file>', 'write the recording to this file, and keep no session')
    .option('--overwrite', 'replace the --out-file if it exists')
    .option(
      '--out-branch-points <file>',
      'when it ends, write its branch points to this file, as JSON',
    )
    .option(
      '--brotli-q <0..11>',
      'compression, 11 is smallest',
      wholeNumber(0, 11),
      DEFAULT_QUALITY,
    )
    .option('--cols <n>', 'width of the terminal (default: that of this one)', side)
    .option('--rows <n>', 'height of the terminal (default: that of this one)', side)
    .option('--ipc <auto|uds|tcp:host:port>', 'where snapshots are announced', 'auto')
    .option(
      '--workspace <folder>',
      'whose files are kept at moments (default: the repository or folder we are in)',
    )
    .option('--no-events', 'do not follow what a known agent does, only record its terminal')
    .option('--input', 'record what is typed too, but for what the terminal does not show')
    .option('--redact', 'put stars in the place of keys, tokens and passwords before they are kept')
    .option(...UNREVIEWED_HOOKS)
    .option('--no-snapshots', 'keep no files (also: AH_SNAPSHOTS=0)')
    .option(
      '--snapshot-minutes <n>',
      'keep changed files that often too; 0: not by time (default: 5)',
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
    ...keptWorkspace(options, cwd),
    ...(options.snapshotMinutes !== undefined && { snapshotMinutes: options.snapshotMinutes }),
    ...followedAgent(options, command),
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
  await reportInterrupted(); // Before anything of the program is shown, and while its recorder starts.
  const { hostSocket } = await launching;
  const client = await RecorderClient.connect(hostSocket);
  const end = await passThrough(client, { from: 'start', size });
  if (end === 'detached') return;
  if (end === 'lost') {
    throw new UserError(
      'host-lost',
      `The recorder stopped unexpectedly. What it wrote is in ${recording}.`,
    );
  }
  process.exitCode = exitCodeOf(end);
  if (options.outBranchPoints) await saveBranchPoints(recording, options.outBranchPoints);
}

/** The program's exit code is what counts: a failure here is told, no more. */
async function saveBranchPoints(recording: string, target: string): Promise<void> {
  try {
    await writeBranchPoints(recording, target);
  } catch (error) {
    process.stderr.write(`ah: The branch points cannot be written: ${messageOf(error)}\n`);
  }
}

/** A recording in a file of its own leaves no session that could name snapshots. */
function keptWorkspace(options: RecordOptions, cwd: string): { workspace?: string } {
  if (
    options.workspace !== undefined &&
    !statSync(options.workspace, { throwIfNoEntry: false })?.isDirectory()
  ) {
    throw new UserError('bad-argument', `There is no folder ${options.workspace}.`);
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
      `${file} exists already; choose another name, or add --overwrite.`,
    );
  }
  rmSync(file, { force: true });
}
