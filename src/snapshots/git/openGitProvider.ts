import { UserError } from '../../base/errors.ts';
import { errorCode } from '../volume/errorCode.ts';
import { joinPath, relativeTo } from '../common/posixPath.ts';
import { explainFailure } from './gitCommand.ts';
import type { GitLimits, GitPorts } from './gitPorts.ts';
import { DEFAULT_LIMITS } from './gitPorts.ts';
import { GitProvider } from './gitProvider.ts';
import { ObjectStore } from './objects/objectStore.ts';
import { Storage } from './storage.ts';
import { repositoryOf } from './scan/workTrees.ts';

export interface GitProviderOptions extends Omit<GitPorts, 'scratch'> {
  readonly workspace: string;
  /** A folder of ours for this workspace alone, outside of it. */
  readonly storage: string;
  /** The user's home folder, which is no workspace. */
  readonly home?: string | undefined;
  readonly limits?: Partial<GitLimits>;
}

/** @throws UserError with the reason when git cannot keep this folder */
export async function openGitProvider(options: GitProviderOptions): Promise<GitProvider> {
  try {
    return await openIt(options);
  } catch (error) {
    throw explainFailure(error);
  }
}

async function openIt(options: GitProviderOptions): Promise<GitProvider> {
  const ports: GitPorts = { ...options, scratch: joinPath(options.storage, 'tmp') };
  const { files } = ports;
  const workspace = await realFolder(ports, options.workspace);
  if (workspace === '/') throw tooWide('the whole machine');
  if (options.home !== undefined) {
    const home = await files.realPath(options.home).catch(() => undefined);
    if (home === workspace) throw tooWide('your home folder');
  }
  const repository = await repositoryOf(ports, workspace);
  const given = new Storage(ports, options.storage);
  await given.prepare();
  const folder = await files.realPath(options.storage);
  if (relativeTo(workspace, folder) !== undefined) {
    throw new UserError(
      'storage-in-workspace',
      `Snapshots of ${workspace} would be stored inside of it, in ${folder}.`,
    );
  }
  const storage = new Storage(ports, folder);
  const store = await ObjectStore.open(ports, folder, repository?.format ?? 'sha1');
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return new GitProvider({ workspace, storage, store, ports, limits });
}

async function realFolder({ files }: GitPorts, path: string): Promise<string> {
  try {
    const real = await files.realPath(path);
    if ((await files.stat(real)).kind === 'folder') return real;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  throw new UserError('no-workspace', `${path} is not a folder.`);
}

function tooWide(what: string): UserError {
  return new UserError(
    'workspace-too-wide',
    `No snapshots are taken of ${what}. Open the folder that you work in.`,
  );
}
