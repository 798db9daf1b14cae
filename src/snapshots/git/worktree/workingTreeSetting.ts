import { errorCode } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from './repository.ts';

/** The file with the settings of one worktree, which may be the repository's main worktree. */
const OWN_SETTINGS = 'config.worktree';

/**
 * Sets `core.worktree` in the settings of a linked worktree to its folder, if these settings or
 * those of the repository have `core.worktree`: submodules do, and with sparse checkouts each
 * worktree does. Otherwise git would work in the folder of the original or in the repository
 * itself. Removing the setting is not enough: the shared setting would apply, and
 * `git submodule update` would add the setting again.
 * @param link the folder in the repository that describes the worktree
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

/**
 * Searches the text, because asking git takes longer and usually no file has the setting. False
 * positives are harmless, because the folder that is then written is correct.
 */
async function mayNameFolder({ files }: GitPorts, file: string): Promise<boolean> {
  try {
    return /\bworktree\s*=/i.test(new TextDecoder().decode(await files.read(file)));
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
