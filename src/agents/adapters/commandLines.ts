import { valueOf, type CommandLine } from '../common/continuation/commandLine.ts';

function named<Kind extends string>(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

const optional = (text: string | undefined): string[] => (text === undefined ? [] : [text]);

/** The message after `--`, since it may begin with a dash. */
const lastArgument = (text: string | undefined): string[] =>
  text === undefined ? [] : ['--', text];

export const claudeCommandLine: CommandLine = {
  carried: {
    ...named(
      'flag',
      '--dangerously-skip-permissions --allow-dangerously-skip-permissions --verbose',
    ),
    ...named(
      'flag',
      '--bare --strict-mcp-config --ide --chrome --no-chrome --restricted --safe-mode',
    ),
    ...named('flag', '--include-partial-messages --include-hook-events --disable-slash-commands'),
    ...named('value', '--model --fallback-model --permission-mode --settings --setting-sources'),
    ...named('value', '--append-system-prompt --system-prompt --agent --agents --effort'),
    ...named('value', '--plugin-dir --output-format --max-budget-usd --autocompact'),
    ...named('list', '--allowedTools --allowed-tools --disallowedTools --disallowed-tools --tools'),
    ...named('list', '--add-dir --mcp-config --betas'),
  },
  headlessOnly: new Set([
    '--output-format',
    '--include-partial-messages',
    '--include-hook-events',
    '--max-budget-usd',
  ]),
  replaced: {
    ...named('flag', '-p --print -c --continue --fork-session'),
    ...named('value', '-r --resume --session-id --resume-session-at -n --name'),
  },
  isHeadless: (args) => args.includes('-p') || args.includes('--print'),
  sessionOf: (args) => valueOf(args, ['-r', '--resume']),
  takesMessage: () => true,
  build: ({ options, isHeadless, session, lastRecord, message }) => [
    ...(isHeadless ? ['-p'] : []),
    ...options,
    ...(session === undefined ? [] : ['--resume', session]),
    // Without this option, Claude Code adds a made-up answer before the message. Only headless runs
    // accept the option.
    ...(isHeadless && session !== undefined && lastRecord !== undefined
      ? ['--resume-session-at', lastRecord]
      : []),
    ...lastArgument(message),
  ],
};

export const codexCommandLine: CommandLine = {
  carried: {
    ...named('flag', '--oss --search --strict-config --no-alt-screen --approve-for-me'),
    ...named('flag', '--dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust'),
    ...named('flag', '--skip-git-repo-check --json --ignore-user-config --ignore-rules'),
    ...named('value', '-c --config --enable --disable -m --model --local-provider -p --profile'),
    ...named('value', '-s --sandbox -a --ask-for-approval -C --cd --add-dir --color'),
    ...named('value', '--output-schema -o --output-last-message'),
  },
  headlessOnly: new Set([
    '--skip-git-repo-check',
    '--json',
    '--ignore-user-config',
    '--ignore-rules',
    '--color',
    '--output-schema',
    '-o',
    '--output-last-message',
  ]),
  replaced: {
    ...named('flag', '--no-daemon --last --all --ephemeral --worktree'),
    ...named('value', '-i --image --thread-source'),
  },
  isHeadless: (args) =>
    subcommand(args, codexCommandLine) === 'exec' || subcommand(args, codexCommandLine) === 'e',
  sessionOf: (args) => valueOf(args, ['resume']),
  takesMessage: () => true,
  build: ({ options, isHeadless, session, message }) => [
    ...(isHeadless ? ['exec'] : []),
    ...options,
    ...(session === undefined ? [] : ['resume', session]),
    ...lastArgument(message),
  ],
};

export const geminiCommandLine: CommandLine = {
  carried: {
    ...named('flag', '-d --debug --skip-trust -s --sandbox -y --yolo --screen-reader'),
    ...named('flag', '--raw-output --accept-raw-output-risk'),
    ...named('value', '-m --model --approval-mode --policy -o --output-format'),
    ...named('value', '-e --extensions --include-directories --allowed-mcp-server-names'),
  },
  headlessOnly: new Set(['-o', '--output-format']),
  replaced: {
    ...named('flag', '-w --worktree'),
    ...named(
      'value',
      '-p --prompt -i --prompt-interactive -r --resume --session-file --session-id',
    ),
  },
  isHeadless: (args) => args.some((word) => /^(?:-p|--prompt(?:=.*)?)$/s.test(word)),
  sessionOf: (args) => valueOf(args, ['-r', '--resume']),
  takesMessage: () => true,
  build: ({ options, isHeadless, session, message }) => [
    ...options,
    ...(session === undefined ? [] : ['--resume', session]),
    ...optional(message).map(
      (text) => `${isHeadless ? '--prompt' : '--prompt-interactive'}=${text}`,
    ),
  ],
};

export const opencodeCommandLine: CommandLine = {
  carried: {
    ...named('flag', '--auto --pure --thinking --print-logs --mini'),
    ...named('value', '-m --model --agent --format --variant --log-level --port --hostname'),
  },
  headlessOnly: new Set(['--format', '--thinking', '--variant']),
  replaced: {
    ...named('flag', '-c --continue --fork --share -i --interactive'),
    ...named('value', '-s --session --prompt --title -f --file --dir --command'),
  },
  isHeadless: (args) => subcommand(args, opencodeCommandLine) === 'run',
  sessionOf: (args) => valueOf(args, ['-s', '--session']),
  build: ({ options, isHeadless, session, message }) => {
    const resumed = session === undefined ? [] : ['--session', session];
    if (isHeadless) return ['run', ...options, ...resumed, ...lastArgument(message)];
    const prompt = session === undefined ? optional(message).map((text) => `--prompt=${text}`) : [];
    return [...options, ...resumed, ...prompt];
  },
  // The full-screen program ignores `--prompt` when it resumes a session.
  takesMessage: ({ isHeadless, session }) => isHeadless || session === undefined,
};

export const copilotCommandLine: CommandLine = {
  carried: {
    ...named('flag', '--allow-all-tools --allow-all-paths --allow-all-urls --allow-all --yolo'),
    ...named('flag', '-s --silent --banner --screen-reader --plain-diff --no-color --no-ask-user'),
    ...named('flag', '--disable-builtin-mcps --disallow-temp-dir --trust-folder --experimental'),
    ...named(
      'value',
      '--model --reasoning-effort --context --agent --log-level --log-dir --stream',
    ),
    ...named('value', '--output-format --add-dir --plugin-dir --allow-tool --deny-tool'),
    ...named('value', '--available-tools --excluded-tools --disable-mcp-server'),
  },
  headlessOnly: new Set(['-s', '--silent', '--output-format', '--trust-folder']),
  replaced: {
    ...named('flag', '--continue --fleet --autopilot --plan'),
    ...named('value', '-p --prompt -i --interactive -r --resume --session-id -n --name -C --mode'),
  },
  isHeadless: (args) => args.some((word) => /^(?:-p|--prompt(?:=.*)?)$/s.test(word)),
  sessionOf: (args) => valueOf(args, ['-r', '--resume', '--session-id']),
  takesMessage: () => true,
  build: ({ options, isHeadless, session, message }) => [
    ...options,
    ...(session === undefined ? [] : [`--resume=${session}`]),
    ...optional(message).map((text) => `${isHeadless ? '--prompt' : '--interactive'}=${text}`),
  ],
};

/** The first argument that is neither an option nor an option's value. */
function subcommand(
  args: readonly string[],
  { carried, replaced }: CommandLine,
): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) return word;
    const kind = carried[word] ?? replaced[word];
    if (kind === 'value') at++;
  }
  return undefined;
}
