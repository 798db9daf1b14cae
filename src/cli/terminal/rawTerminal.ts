import { spawnSync } from 'node:child_process';

/**
 * Lets bytes pass through this terminal unchanged in both directions.
 * @returns a function that restores the previous settings
 */
export function makeTerminalRaw(): () => void {
  const { stdin } = process;
  const restoreOutput = keepLineFeeds();
  if (!stdin.isTTY) return restoreOutput;
  stdin.setRawMode(true);
  // Node's raw mode turns the translation of line feeds on again.
  stty('-opost');
  return () => {
    stdin.setRawMode(false);
    restoreOutput();
  };
}

/**
 * Stops this terminal from replacing `\n` with `\r\n`. Full-screen programs move the cursor
 * straight down with `\n`.
 * @returns a function that restores the previous settings
 */
export function keepLineFeeds(): () => void {
  if (!process.stdout.isTTY) return () => {};
  const saved = stty('-g').trim();
  stty('-opost');
  return () => {
    if (saved) stty(saved);
  };
}

/** Does nothing if the system has no `stty`, as on Windows. */
function stty(setting: string): string {
  // `stty` changes the terminal on its standard input.
  const stdio = [process.stdout.fd, 'pipe', 'ignore'] as const;
  return spawnSync('stty', [setting], { stdio: [...stdio], encoding: 'utf8' }).stdout ?? '';
}
