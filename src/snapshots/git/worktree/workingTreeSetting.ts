import { errorCode } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from './repository.ts';

/** The settings of one worktree, including a repository's main one. */
const OWN_SETTINGS = 'config.worktree';

/**
 * Writes the folder of a linked worktree into its settings, if its own or the repository's settings
 * name a folder. Submodules have `core.worktree`, and with sparse checkouts each worktree has it.
 * Otherwise git would work in the folder of the original or in the repository itself. Removing the
 * setting is not enough: the shared one would apply, and `git submodule update` would add it again.
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
 * Usually no file has the setting; asking git would take longer. False positives are harmless,
 * because the written setting is true.
 */
async function mayNameFolder({ files }: GitPorts, file: string): Promise<boolean> {
  try {
    return /\bworktree\s*=/i.test(new TextDecoder().decode(await files.read(file)));
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
