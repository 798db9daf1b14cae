const DEFAULT_TERM = 'xterm-256color';

/** The environment of a program that this command records. */
export function programEnvironment(): Record<string, string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  // Without a terminal, TERM is "dumb" or unset, but the recorded program gets a real terminal.
  if (!process.stdout.isTTY || !env['TERM']) env['TERM'] = DEFAULT_TERM;
  return env;
}
