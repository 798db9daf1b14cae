import { errorCode } from '../../../base/errors.ts';
import { joinPath, parentOf } from '../../common/posixPath.ts';
import { writeDurably } from '../../common/writeDurably.ts';
import { exists } from '../exists.ts';
import { git } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export type ObjectFormat = 'sha1' | 'sha256';

/** Ignores the configuration of the user and the machine. */
export const OWN_CONFIGURATION = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

/** Overrides the workspace's `.gitattributes`: nothing is converted. */
const RAW_ATTRIBUTES = '* -text -crlf -ident -filter !eol !working-tree-encoding\n';

const FOLDERS = ['info', 'objects/info', 'objects/pack', 'refs/heads', 'refs/snapshots'];

interface SkeletonFile {
  readonly name: string;
  readonly content: string;
  readonly isWhole: (content: string) => boolean;
}

function skeletonFiles(format: ObjectFormat): readonly SkeletonFile[] {
  return [
    {
      name: 'info/attributes',
      content: RAW_ATTRIBUTES,
      isWhole: (content) => content === RAW_ATTRIBUTES,
    },
    {
      name: 'config',
      content: configFor(format),
      isWhole: (content) => /repositoryformatversion\s*=\s*[01]\s/.test(content),
    },
    {
      name: 'HEAD',
      content: 'ref: refs/heads/main\n',
      isWhole: (content) => content.startsWith('ref: refs/heads/'),
    },
  ];
}

function configFor(format: ObjectFormat): string {
  const core = (version: number) =>
    `[core]\n\trepositoryformatversion = ${version}\n\tfilemode = true\n\tbare = true\n`;
  return format === 'sha1' ? core(0) : `${core(1)}[extensions]\n\tobjectformat = sha256\n`;
}

/**
 * Creates the bare repository of a store, or writes the files again that a power cut left empty:
 * without them, git would refuse the store for ever.
 * @returns the format of its objects
 */
export async function openSkeleton(
  ports: GitPorts,
  gitDir: string,
  wanted: ObjectFormat,
): Promise<ObjectFormat> {
  const { files } = ports;
  if (!(await exists(ports, gitDir))) {
    // Make a draft and move it into place, so that an incomplete store is never seen.
    const draft = joinPath(ports.scratch, `store-${ports.processes.own}`);
    await files.removeTree(draft);
    await mend(ports, draft, wanted);
    try {
      await files.rename(draft, gitDir);
    } catch (error) {
      await files.removeTree(draft);
      if (!(await exists(ports, gitDir))) throw error;
    }
    await syncWithParents(ports, parentOf(gitDir));
  } else if (!(await isWhole(ports, gitDir))) {
    await mend(ports, gitDir, (await formatOfSnapshots(ports, gitDir)) ?? wanted);
  }
  const config = await textOf(ports, joinPath(gitDir, 'config'));
  return /objectformat\s*=\s*sha256/i.test(config) ? 'sha256' : 'sha1';
}

async function isWhole(ports: GitPorts, gitDir: string): Promise<boolean> {
  for (const file of skeletonFiles('sha1'))
    if (!file.isWhole(await textOf(ports, joinPath(gitDir, file.name)))) return false;
  const folders = ['objects/pack', 'refs'].map((name) => exists(ports, joinPath(gitDir, name)));
  return !(await Promise.all(folders)).includes(false);
}

async function mend(ports: GitPorts, gitDir: string, format: ObjectFormat): Promise<void> {
  const { files, scratch, exec } = ports;
  for (const name of FOLDERS) await files.makeFolder(joinPath(gitDir, name));
  for (const { name, content, isWhole } of skeletonFiles(format)) {
    const file = joinPath(gitDir, name);
    if (isWhole(await textOf(ports, file))) continue;
    const draft = joinPath(scratch, `skeleton-${ports.processes.own}`);
    await writeDurably(files, file, encoder.encode(content), draft);
  }
  const folders = [...FOLDERS, 'objects', 'refs'].map((name) => joinPath(gitDir, name));
  for (const folder of [...folders, gitDir]) await files.sync(folder);
  // Fails now if git is missing, not at the first snapshot.
  const args = ['rev-parse', '--git-dir'];
  await git(exec, args, { cwd: gitDir, env: { ...OWN_CONFIGURATION, GIT_DIR: gitDir } });
}

/** The IDs in references have the length of the format. */
async function formatOfSnapshots(
  ports: GitPorts,
  gitDir: string,
): Promise<ObjectFormat | undefined> {
  const folder = joinPath(gitDir, 'refs/snapshots');
  if (!(await exists(ports, folder))) return undefined;
  for (const { name } of await ports.files.list(folder)) {
    const oid = (await textOf(ports, joinPath(folder, name))).trim();
    if (/^[0-9a-f]+$/.test(oid)) return oid.length === 64 ? 'sha256' : 'sha1';
  }
  return undefined;
}

/** Makes the storage folder, and the folder of all storages, survive a power cut. */
async function syncWithParents({ files }: GitPorts, storage: string): Promise<void> {
  for (const folder of [storage, parentOf(storage)]) await files.sync(folder);
}

async function textOf({ files }: GitPorts, file: string): Promise<string> {
  try {
    return decoder.decode(await files.read(file));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
