import { agentOfCommand, programName, SHELL_OPTION, SHELLS } from './agentCommand.ts';

/** Shells whose command lines we do not parse. */
const OTHER_SHELLS: ReadonlySet<string> = new Set(['csh', 'tcsh', 'nu', 'elvish', 'xonsh', 'pwsh']);

/** Whether a command starts a shell in which a user types commands. */
export function isInteractiveShell([program = '', ...args]: readonly string[]): boolean {
  const name = programName(program);
  const isShell = SHELLS.has(name) || OTHER_SHELLS.has(name);
  return isShell && !args.some((each) => SHELL_OPTION.test(each));
}

/** Between the commands of a command line. */
const SEPARATOR = /[;|&]+/;

/** Whether a command line that a user typed into a shell starts an agent. */
export function startsAgent(line: string): boolean {
  return line.split(SEPARATOR).some((each) => agentOfCommand(['sh', '-c', each]) !== undefined);
}
