const DEFAULT_TERM = 'xterm-256color';

/** What a program that is recorded from here is started with. */
export function programEnvironment(): Record<string, string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  // Off a terminal TERM says "dumb" or nothing, yet the program gets a real one.
  if (!process.stdout.isTTY || !env['TERM']) env['TERM'] = DEFAULT_TERM;
  return env;
}
