import { errorCode } from '../../volume/errorCode.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';

/** What describes an operation in progress, and this working tree's own settings, in the order in which they tell most. */
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
/** References that each working tree has to itself, as those that a bisection goes by. All others are the repository's. */
const OWN_REFERENCES = ['bisect', 'worktree', 'rewritten'];
/** Such files are a few lines long; a patch of a rebase may be larger. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 2000;

export type Operation = 'merge' | 'cherry-pick' | 'revert' | 'bisect' | 'rebase' | 'am';

/** The files, relative to the git folder, that are there now. */
export async function operationFiles(ports: GitPorts, gitDir: string): Promise<string[]> {
  // Mostly none of them is there: one look into a folder instead of one for each.
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
    // Untested: the folder went after it was named, since git ended the operation.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return;
    throw error;
  }
  for (const { name, kind } of entries) {
    // Untested: a clone lacks the rest of the operation; the user's repository keeps it.
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
    return false;
  }
}
