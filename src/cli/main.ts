import { Command, CommanderError } from 'commander';
import { messageOf, UserError } from '../base/errors.ts';
import { EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND } from '../platform/node/processes/findProgram.ts';
import { keepHeapSmall } from '../platform/node/processes/smallHeap.ts';
import { watchForBrokenPipe } from './brokenPipe.ts';
import { attachCommand } from './commands/attach.ts';
import { branchCommand } from './commands/branch/branchCommand.ts';
import { branchesCommand } from './commands/branch/branches.ts';
import { branchPointsCommand } from './commands/branchPoints.ts';
import { fsCommand } from './commands/fs/fsCommand.ts';
import { recordCommand } from './commands/record.ts';
import { replayCommand } from './commands/replay.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { pruneCommand } from './commands/prune.ts';
import { captureCommand } from './commands/capture.ts';
import { scrubCommand } from './commands/scrub.ts';
import { stopCommand } from './commands/stop.ts';
import { validateCommand } from './commands/validate.ts';

const EXIT_USAGE = 2;
const EXIT_BUG = 70;
const EXIT_CODES: Readonly<Record<string, number>> = {
  'bad-argument': EXIT_USAGE,
  'not-executable': EXIT_NOT_EXECUTABLE,
  'not-found': EXIT_NOT_FOUND,
};

function buildProgram(): Command {
  const agent = new Command('agent')
    .description('record, replay and inspect agent sessions')
    // An option belongs to the command that it follows, where that and one below it have the same.
    .enablePositionalOptions()
    .addCommand(recordCommand(__dirname))
    .addCommand(replayCommand())
    .addCommand(branchPointsCommand())
    .addCommand(sessionsCommand())
    .addCommand(attachCommand())
    .addCommand(stopCommand())
    .addCommand(captureCommand())
    .addCommand(scrubCommand())
    .addCommand(pruneCommand())
    .addCommand(validateCommand())
    .addCommand(fsCommand())
    .addCommand(branchCommand(__dirname))
    .addCommand(branchesCommand());
  const program = new Command('ah')
    .description('AH Time Travel: records coding agents and lets you go back')
    .enablePositionalOptions()
    .addCommand(agent);
  exitByThrowing(program);
  return program;
}

/** So that every end of the program passes through {@link main}. */
function exitByThrowing(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help shows what is possible)');
  for (const child of command.commands) exitByThrowing(child);
}

async function main(): Promise<void> {
  try {
    await buildProgram().parseAsync(process.argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  // Commander has printed its message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof UserError) {
    process.stderr.write(`ah: ${error.message}\n`);
    return EXIT_CODES[error.code] ?? 1;
  }
  process.stderr.write(`ah: This should not have happened: ${messageOf(error)}\n`);
  if (error instanceof Error && error.stack) process.stderr.write(`${error.stack}\n`);
  return EXIT_BUG;
}

keepHeapSmall();
watchForBrokenPipe();
void main();
