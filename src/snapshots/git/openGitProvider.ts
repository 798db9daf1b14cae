import { errorCode, UserError } from '../../base/errors.ts';
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
  /** Our folder for this workspace, outside of it. */
  readonly storage: string;
  /** The user's home folder, which can't be a workspace. */
  readonly home?: string | undefined;
  readonly limits?: Partial<GitLimits>;
}

/** @throws UserError with the reason if git can't take snapshots of this folder */
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
  if (workspace === '/') throw tooWideError('the whole machine');
  if (options.home !== undefined) {
    // If the home folder is missing, it is not the workspace.
    const home = await files.realPath(options.home).catch(() => undefined);
    if (home === workspace) throw tooWideError('your home folder');
  }
  const repository = await repositoryOf(ports, workspace);
  const given = new Storage(ports, options.storage);
  await given.prepare();
  const folder = await files.realPath(options.storage);
  if (relativeTo(workspace, folder) !== undefined) {
    throw new UserError(
      'storage-in-workspace',
      `Can't take snapshots of ${workspace}: they would be stored inside of it, in ${folder}.`,
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

function tooWideError(what: string): UserError {
  return new UserError(
    'workspace-too-wide',
    `Can't take snapshots of ${what}. Open the folder that you work in.`,
  );
}
