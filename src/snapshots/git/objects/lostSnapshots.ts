import { errorCode } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import { writeDurably } from '../../common/writeDurably.ts';
import type { GitPorts } from '../gitPorts.ts';

/** Names the snapshots that were lost in a power cut, one per line. */
const FILE = 'ah-lost';

export async function addLost(
  ports: GitPorts,
  gitDir: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const all = new Set([...(await readLost(ports, gitDir)), ...names]);
  const file = joinPath(gitDir, FILE);
  const bytes = new TextEncoder().encode([...all, ''].join('\n'));
  await writeDurably(ports.files, file, bytes, joinPath(ports.scratch, FILE));
}

export async function readLost({ files }: GitPorts, gitDir: string): Promise<string[]> {
  try {
    const text = new TextDecoder().decode(await files.read(joinPath(gitDir, FILE)));
    return text.split('\n').filter(Boolean);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
