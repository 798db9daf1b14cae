import { errorCode } from '../../volume/errorCode.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from './repository.ts';

/** The settings of a working tree alone; also those of a repository's first one. */
const OWN_SETTINGS = 'config.worktree';

/**
 * Makes the settings of a linked working tree say where it is, if those of its repository or its own, as they were, say where a
 * working tree is: submodules do, and `core.worktree` is a setting of each as soon as one has a sparse checkout. git would go by what
 * is said of another, and work in the original's folder, or in the repository itself. To say nothing is not enough: what all share
 * counts then, and `git submodule update` would add to that.
 * @param link the folder in the repository that describes the working tree
 */
export async function nameOwnFolder(
  ports: GitPorts,
  repository: UserRepository,
  { folder, link }: { readonly folder: string; readonly link: string },
): Promise<void> {
  const own = joinPath(link, OWN_SETTINGS);
  const shared = ['config', OWN_SETTINGS].map((name) => joinPath(repository.commonDir, name));
  const answers = await Promise.all([own, ...shared].map((file) => mayNameFolder(ports, file)));
  if (!answers.includes(true)) return;
  await repository.git(['config', '--file', own, '--replace-all', 'core.worktree', folder]);
}

/** Mostly none does, and to ask git of each takes longer. It does no harm to be wrong: what is written is true. */
async function mayNameFolder({ files }: GitPorts, file: string): Promise<boolean> {
  try {
    return /\bworktree\s*=/i.test(new TextDecoder().decode(await files.read(file)));
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
