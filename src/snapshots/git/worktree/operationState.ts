import { errorCode } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';

/** Files that describe an operation in progress, most important first, and settings. */
const FILES = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_START',
  'REBASE_HEAD',
  'ORIG_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'MERGE_RR',
  'AUTO_MERGE',
  'SQUASH_MSG',
  'BISECT_LOG',
  'BISECT_TERMS',
  'BISECT_EXPECTED_REV',
  'BISECT_NAMES',
  'BISECT_ANCESTORS_OK',
  'BISECT_FIRST_PARENT',
  'BISECT_HEAD',
  'BISECT_RUN',
  'config.worktree',
];
const BELOW = ['info/sparse-checkout'];
const FOLDERS = ['rebase-merge', 'rebase-apply', 'sequencer'];
/**
 * References that belong to one git worktree, for example for bisections. All others are shared.
 */
const OWN_REFERENCES = ['bisect', 'worktree', 'rewritten'];
/** Most of these files have a few lines, but a patch of a rebase may be larger. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 2000;

export type Operation = 'merge' | 'cherry-pick' | 'revert' | 'bisect' | 'rebase' | 'am';

/** Lists those of these files that exist, relative to the git folder. */
export async function operationFiles(ports: GitPorts, gitDir: string): Promise<string[]> {
  // Usually none exists: list the folders instead of looking for each file.
  const [names, references] = await Promise.all([
    namesIn(ports, gitDir),
    namesIn(ports, joinPath(gitDir, 'refs')),
  ]);
  const mayBeThere = (name: string): boolean => names?.has(name) ?? true;
  const candidates = [...FILES.filter(mayBeThere), ...BELOW];
  const areFiles = await Promise.all(
    candidates.map((name) => isFile(ports, joinPath(gitDir, name))),
  );
  const found = candidates.filter((_, at) => areFiles[at]);
  const own = OWN_REFERENCES.filter((name) => references?.has(name)).map((name) => `refs/${name}`);
  for (const folder of [...FOLDERS.filter(mayBeThere), ...own]) {
    await collect(ports, gitDir, folder, found);
  }
  return found;
}

async function namesIn({ files }: GitPorts, folder: string): Promise<Set<string> | undefined> {
  // If the folder can't be listed, the caller looks for each file.
  const entries = await files.list(folder).catch(() => undefined);
  return entries && new Set(entries.map(({ name }) => name));
}

export function operationOf(files: readonly string[]): Operation | undefined {
  if (files.includes('rebase-apply/applying')) return 'am';
  if (files.some((file) => file.startsWith('rebase-'))) return 'rebase';
  if (files.includes('MERGE_HEAD')) return 'merge';
  if (files.includes('CHERRY_PICK_HEAD')) return 'cherry-pick';
  if (files.includes('REVERT_HEAD')) return 'revert';
  if (files.includes('BISECT_START')) return 'bisect';
  return undefined;
}

async function collect(
  ports: GitPorts,
  gitDir: string,
  folder: string,
  found: string[],
): Promise<void> {
  let entries;
  try {
    entries = await ports.files.list(joinPath(gitDir, folder));
  } catch (error) {
    // Untested: git has ended the operation and deleted the folder since it was listed.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return;
    throw error;
  }
  for (const { name, kind } of entries) {
    // Untested: a clone lacks the remaining files of the operation; the user's repository has them.
    if (found.length >= MAX_FILES) return;
    const path = `${folder}/${name}`;
    if (kind === 'folder') await collect(ports, gitDir, path, found);
    else if (kind === 'file' && (await isFile(ports, joinPath(gitDir, path)))) found.push(path);
  }
}

async function isFile({ files }: GitPorts, path: string): Promise<boolean> {
  try {
    const { kind, size } = await files.stat(path);
    return kind === 'file' && size <= MAX_FILE_BYTES;
  } catch {
    return false; // Missing or not accessible.
  }
}
