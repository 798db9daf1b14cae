import { Command } from 'commander';
import { attachCommand } from './commands/attach.ts';
import { finishInterruptedScrubs } from './finishInterruptedScrubs.ts';
import { branchCommand } from './commands/branch/branchCommand.ts';
import { branchesCommand } from './commands/branch/branches.ts';
import { branchPointsCommand } from './commands/branchPoints.ts';
import { captureCommand } from './commands/capture.ts';
import { completionCommand } from './commands/completion.ts';
import { fsCommand } from './commands/fs/fsCommand.ts';
import { pauseCommand, resumeCommand } from './commands/pause.ts';
import { pruneCommand } from './commands/prune.ts';
import { recordCommand } from './commands/record.ts';
import { replayCommand } from './commands/replay.ts';
import { scrubCommand } from './commands/scrub.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { stopCommand } from './commands/stop.ts';
import { transcriptCommand } from './commands/transcript.ts';
import { validateCommand } from './commands/validate.ts';

export interface ProgramOptions {
  readonly version: string;
  /** The folder of the bundles; it holds the recorder that sessions are started with. */
  readonly distFolder: string;
}

/** The whole command line. Its shell completions and docs/cli.md are generated from the result. */
export function buildProgram({ version, distFolder }: ProgramOptions): Command {
  const agent = new Command('agent')
    .description('Record, replay, branch and inspect agent sessions')
    // `branch` and its subcommands share option names: an option belongs to the command before it.
    .enablePositionalOptions()
    .addCommand(recordCommand(distFolder))
    .addCommand(replayCommand())
    .addCommand(branchPointsCommand())
    .addCommand(transcriptCommand())
    .addCommand(sessionsCommand())
    .addCommand(attachCommand())
    .addCommand(stopCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(captureCommand())
    .addCommand(scrubCommand())
    .addCommand(pruneCommand())
    .addCommand(validateCommand())
    .addCommand(fsCommand())
    .addCommand(branchCommand(distFolder))
    .addCommand(branchesCommand());
  const program = new Command('ah')
    .description('AH Time Travel: record coding agents, go back to any moment, and branch from it')
    .version(version, '-V, --version', 'Print the version')
    .enablePositionalOptions()
    .addCommand(agent)
    .addCommand(completionCommand());
  configure(program);
  agent.hook('preAction', finishInterruptedScrubs);
  return program;
}

function configure(command: Command): void {
  command
    // Commander throws instead of ending the process, so that main() sets every exit code.
    .exitOverride()
    .showHelpAfterError('(See --help.)')
    .helpOption('-h, --help', 'Show help for this command');
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show help for a command');
  for (const child of command.commands) configure(child);
}
