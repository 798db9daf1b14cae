import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The log of a recorder, which has no terminal. `AH: Report Problem` shows it. */
export function hostLogFile(sessionFolder: string): string {
  return path.join(sessionFolder, 'host.log');
}

/** The last characters of a recorder's log; empty for most sessions, which have no log. */
export async function readHostLog(sessionFolder: string, maxCharacters: number): Promise<string> {
  const text = await readFile(hostLogFile(sessionFolder), 'utf8').catch(() => ''); // No log.
  return text.slice(-maxCharacters);
}
