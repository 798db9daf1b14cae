import { spawnSync } from 'node:child_process';

/**
 * Lets every byte pass through this process's terminal unchanged, both ways.
 * @returns puts the terminal back as it was
 */
export function makeTerminalRaw(): () => void {
  const { stdin } = process;
  const restoreOutput = keepLineFeeds();
  if (!stdin.isTTY) return restoreOutput;
  stdin.setRawMode(true);
  // Raw mode, as Node has it, turns the translation on again.
  stty('-opost');
  return () => {
    stdin.setRawMode(false);
    restoreOutput();
  };
}

/**
 * Keeps this process's terminal from making `\r\n` of each `\n`, which throws off what full-screen programs print: they move
 * the cursor down with it.
 * @returns puts the terminal back as it was
 */
export function keepLineFeeds(): () => void {
  if (!process.stdout.isTTY) return () => {};
  const saved = stty('-g').trim();
  stty('-opost');
  return () => {
    if (saved) stty(saved);
  };
}

/** Without such a program, as on Windows, nothing changes. */
function stty(setting: string): string {
  // It works on the terminal that is its standard input.
  const stdio = [process.stdout.fd, 'pipe', 'ignore'] as const;
  return spawnSync('stty', [setting], { stdio: [...stdio], encoding: 'utf8' }).stdout ?? '';
}
