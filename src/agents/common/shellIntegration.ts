import { programName } from './agentCommand.ts';
import { isInteractiveShell } from './shellSession.ts';

/** Shells that announce their commands to the recorder once they have read a file of AH. */
export type IntegratedShell = 'bash' | 'zsh' | 'fish';

/**
 * Arguments that keep a shell from reading that file: they name other startup files or none, or
 * select a mode that ignores it.
 */
const REFUSED: Readonly<Record<IntegratedShell, RegExp | undefined>> = {
  bash: /^--(?!login$)|^-[A-Za-z]*[pr]|^(?:posix|privileged|restricted)$/,
  zsh: /^--(?!login$|interactive$)|^-[A-Za-z]*f|rcs$/i,
  fish: undefined,
};

/** The shell that a command starts, if it is interactive and can announce its commands. */
export function integratedShell(command: readonly string[]): IntegratedShell | undefined {
  const [program = '', ...args] = command;
  const name = programName(program);
  if (!isIntegrated(name) || !isInteractiveShell(command)) return undefined;
  return args.some((each) => REFUSED[name]?.test(each)) ? undefined : name;
}

/** Whether a command starts an interactive shell that AH can't make announce its commands. */
export function isShellWithoutMarks(command: readonly string[]): boolean {
  return isInteractiveShell(command) && integratedShell(command) === undefined;
}

function isIntegrated(name: string): name is IntegratedShell {
  return Object.hasOwn(REFUSED, name);
}
