import { Argument, Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completionScript.ts';

export function completionCommand(): Command {
  return new Command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'The shell that sources the script').choices(SHELLS))
    .addHelpText('after', '\nFor bash: ah completion bash >> ~/.bashrc')
    .action((shell: Shell, _options: unknown, command: Command) => {
      // `completion` is a command of the program, so its parent is the program.
      const program = command.parent ?? command;
      process.stdout.write(completionScript(program, shell));
    });
}
