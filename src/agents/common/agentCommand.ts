import { KNOWN_AGENTS, type KnownAgent } from './detect.ts';
import { shellQuoted } from './shellQuoted.ts';
import { splitShellWords } from './shellWords.ts';

/** A command line that starts an agent, directly or through other programs. */
export interface AgentCommand {
  readonly agent: KnownAgent;
  /** The agent's own arguments. */
  readonly args: readonly string[];
  /** The same command with further arguments before the agent's own. */
  addArguments(args: readonly string[]): readonly string[];
  /** The same command with other arguments instead of the agent's own. */
  replaceArguments(args: readonly string[]): readonly string[];
}

/** Programs that run the command in their arguments, with the options that may stand before it. */
const RUNNERS: Readonly<Record<string, { readonly flags: RegExp; readonly values?: RegExp }>> = {
  env: {
    flags: /^(-i|--ignore-environment|[A-Za-z_]\w*=.*)$/s,
    values: /^(-u|--unset|-C|--chdir)$/,
  },
  nice: { flags: /^(-\d+|-n-?\d+|--adjustment=.*)$/, values: /^(-n|--adjustment)$/ },
  nohup: { flags: /^--$/ },
  npx: {
    flags: /^(-y|--yes|--no|--no-install|-q|--quiet|--package=.*|--)$/,
    values: /^(-p|--package)$/,
  },
  bunx: { flags: /^(--bun|--)$/ },
  npm: { flags: /^(exec|x|-y|--yes|--)$/ },
  pnpm: { flags: /^(dlx|exec)$/ },
  yarn: { flags: /^(dlx|exec)$/ },
};
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish']);
const SHELL_OPTION = /^-[il]*c$/;
/** Words that may stand before the program in a shell's command line. */
const SHELL_PREFIX = /^(exec|command|[A-Za-z_]\w*=.*)$/s;

/**
 * Finds the agent that a command starts; undefined if it starts none, or if only a shell could
 * tell.
 */
export function agentCommand(command: readonly string[]): AgentCommand | undefined {
  const [program, ...args] = command;
  if (program === undefined) return undefined;
  return direct(program, args) ?? inShell(program, args) ?? inRunner(program, args);
}

/** The agent that a command starts. */
export function agentOfCommand(command: readonly string[]): KnownAgent | undefined {
  return agentCommand(command)?.agent;
}

/** The agent's own arguments, or those of the program if the command starts no known agent. */
export function agentArguments(command: readonly string[]): readonly string[] {
  return agentCommand(command)?.args ?? command.slice(1);
}

function direct(program: string, args: readonly string[]): AgentCommand | undefined {
  const agent = agentNamed(program);
  return (
    agent && {
      agent,
      args,
      addArguments: (others) => [program, ...others, ...args],
      replaceArguments: (others) => [program, ...others],
    }
  );
}

/** Finds the agent in commands such as `env X=1 claude --model opus` and `npx @openai/codex`. */
function inRunner(program: string, args: readonly string[]): AgentCommand | undefined {
  const runner = RUNNERS[programName(program)];
  if (!runner) return undefined;
  let at = 0;
  while (at < args.length) {
    const word = args[at] ?? '';
    if (runner.values?.test(word)) at += 2;
    else if (runner.flags.test(word)) at++;
    else break;
  }
  const inner = agentCommand(args.slice(at));
  if (!inner) return undefined;
  const before = [program, ...args.slice(0, at)];
  return {
    ...inner,
    addArguments: (others) => [...before, ...inner.addArguments(others)],
    replaceArguments: (others) => [...before, ...inner.replaceArguments(others)],
  };
}

/**
 * Finds the agent in `bash -lc 'X=1 claude --model opus'`; new arguments are written into the
 * shell's command line.
 */
function inShell(program: string, args: readonly string[]): AgentCommand | undefined {
  const [option, line, ...rest] = args;
  if (!SHELLS.has(programName(program)) || option === undefined || line === undefined)
    return undefined;
  const words = splitShellWords(line);
  if (!SHELL_OPTION.test(option) || rest.length > 0 || !words) return undefined;
  const start = words.findIndex(({ text }) => !SHELL_PREFIX.test(text));
  const inner = start < 0 ? undefined : agentCommand(words.slice(start).map(({ text }) => text));
  const own = inner && words[words.length - inner.args.length - 1];
  // In a nested shell, these words are not the agent's arguments.
  if (!own || agentNamed(own.text) !== inner.agent) return undefined;
  const before = line.slice(0, own.end);
  const lineWith = (others: readonly string[]) => [before, ...others.map(shellQuoted)].join(' ');
  return {
    ...inner,
    addArguments: (others) => [program, option, lineWith(others) + line.slice(own.end)],
    replaceArguments: (others) => [program, option, lineWith(others)],
  };
}

function agentNamed(program: string): KnownAgent | undefined {
  const name = programName(program);
  return KNOWN_AGENTS.find(
    ({ programs, packages }) => programs.includes(name) || packages.includes(name),
  );
}

/** Removes folders, the version of a package, and Windows' file extensions. */
export function programName(program: string): string {
  const name = program.startsWith('@') ? program : program.replace(/^.*[/\\]/, '');
  return name.replace(/\.(exe|cmd|bat)$/i, '').replace(/(?<=.)@[^/]*$/, '');
}
