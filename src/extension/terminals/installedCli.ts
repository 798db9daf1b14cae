import { copyFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { dataFolder } from '../../platform/node/paths.ts';

const file = () => path.join(dataFolder(), 'bin', 'ah.cjs');

/**
 * Keeps the command line beside the sessions: the extension's own is gone with the extension, and its sessions are not.
 *
 * @param shipped the command line of this extension
 */
export async function keepCommandLine(shipped: string): Promise<void> {
  const kept = file();
  const [from, to] = await Promise.all([stat(shipped), stat(kept).catch(() => undefined)]);
  if (to?.size === from.size && to.mtimeMs >= from.mtimeMs) return;
  await mkdir(path.dirname(kept), { recursive: true, mode: 0o700 });
  // Elsewhere first: half of it would be no way back.
  const draft = `${kept}.${process.pid}`;
  await copyFile(shipped, draft);
  await rename(draft, kept);
}

/** What to type into any terminal to see a session without this extension. */
export function attachCommandLine(id: string): string {
  const command = ['node', file(), 'agent', 'attach', id].map(quoted).join(' ');
  const data = process.env['AH_DATA_DIR'];
  return data && process.platform !== 'win32' ? `AH_DATA_DIR=${quoted(data)} ${command}` : command;
}

function quoted(word: string): string {
  if (/^[\w./@:+-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
