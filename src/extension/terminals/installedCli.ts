import { copyFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { dataFolder } from '../../platform/node/paths.ts';

const file = () => path.join(dataFolder(), 'bin', 'ah.cjs');

/**
 * Copies the CLI to AH's data folder, because sessions outlive the extension and the CLI in it.
 * @param shipped the CLI of this extension
 */
export async function installCli(shipped: string): Promise<void> {
  const kept = file();
  const [from, to] = await Promise.all([
    stat(shipped),
    stat(kept).catch(() => undefined /* Not installed yet. */),
  ]);
  if (to?.size === from.size && to.mtimeMs >= from.mtimeMs) return;
  await mkdir(path.dirname(kept), { recursive: true, mode: 0o700 });
  // Copy to a temporary name first, so that the installed CLI is always complete.
  const draft = `${kept}.${process.pid}`;
  await copyFile(shipped, draft);
  await rename(draft, kept);
}

/** The command that attaches to a session without this extension. */
export function attachCommand(id: string): string {
  const command = ['node', file(), 'agent', 'attach', id].map(quoted).join(' ');
  const data = process.env['AH_DATA_DIR'];
  return data ? `AH_DATA_DIR=${quoted(data)} ${command}` : command;
}

function quoted(word: string): string {
  if (/^[\w./@:+-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
