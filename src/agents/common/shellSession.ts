import { agentOfCommand, programName, SHELLS } from './agentCommand.ts';
import { splitShellWords } from './shellWords.ts';

/** Shells whose command lines we do not parse. */
const OTHER_SHELLS: ReadonlySet<string> = new Set(['csh', 'tcsh', 'nu', 'elvish', 'xonsh', 'pwsh']);
/** Options with the next word as their value: `-o vi`, `+O extglob`, `--rcfile FILE`. */
const WITH_VALUE = /^(?:[-+][A-Za-z]*[oO]|--(?:rcfile|init-file|init-command))$/;
/** `-c`, alone or among others, and its long forms: a command line follows. */
const COMMAND = /^-(?:[A-Za-z]*c|-command)/;

/** Whether a command starts a shell in which a user types commands, not one that runs a script. */
export function isInteractiveShell([program = '', ...args]: readonly string[]): boolean {
  const name = programName(program);
  if (!SHELLS.has(name) && !OTHER_SHELLS.has(name)) return false;
  const options = args.filter((_, index) => !WITH_VALUE.test(args[index - 1] ?? ''));
  return options.every((each) => /^[-+]/.test(each) && !COMMAND.test(each));
}

/**
 * The words of a command line that only starts an interactive shell; undefined for others. Such a
 * shell needs no other shell to start it.
 */
export function interactiveShellIn(line: string): readonly string[] | undefined {
  const words = splitShellWords(line)?.map(({ text }) => text) ?? [];
  // Only a shell can evaluate the tilde.
  if (words.some((each) => each.startsWith('~'))) return undefined;
  return isInteractiveShell(words) ? words : undefined;
}

/** Separates the commands of a command line. */
const SEPARATOR = /[;|&]+/;

/** Whether a command line that a user typed into a shell starts an agent. */
export function startsAgent(line: string): boolean {
  return line.split(SEPARATOR).some((each) => agentOfCommand(['sh', '-c', each]) !== undefined);
}
