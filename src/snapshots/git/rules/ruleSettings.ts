import { joinPath, parentOf } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { WorkTree } from '../scan/workTree.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

const NAMES = '^(core\\.excludesfile|ah\\.keepignored|include\\.path|includeif\\..*\\.path)$';

/** The git settings about ignore rules. */
export interface RuleSettings {
  /** The user's own rule file; empty if no setting names one. */
  readonly own: string;
  /** Patterns to include although a rule ignores them (`git config --add ah.keepIgnored .env`). */
  readonly kept: readonly string[];
  /** Files that the settings include, existing or not, besides those that git always reads. */
  readonly sources: readonly string[];
}

const NONE: RuleSettings = { own: '', kept: [], sources: [] };

export async function readRuleSettings({ watch }: Pick<WorkTree, 'watch'>): Promise<RuleSettings> {
  // Without a repository, git runs in our store, which has none of the user's settings.
  if (!watch) return NONE;
  const { root, gitDir } = watch.repository;
  const args = ['config', '-z', '--show-origin', '--type=path', '--get-regexp', NAMES];
  const { stdout } = await watch.repository.run(args);
  let own = '';
  const kept: string[] = [];
  const sources = new Set<string>();
  const parts = pathsOf(stdout);
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [origin, setting] = [(parts[at] ?? '').replace(/^file:/, ''), parts[at + 1] ?? ''];
    const end = setting.indexOf('\n');
    const [name, value] = end < 0 ? [setting, ''] : [setting.slice(0, end), setting.slice(end + 1)];
    if (name === 'core.excludesfile') own = value && absolute(root, value);
    else if (name === 'ah.keepignored') kept.push(...(value ? [value] : []));
    else if (value) sources.add(absolute(parentOf(absolute(root, origin)), value));
    // A file that is included only on some branches: HEAD decides whether it counts.
    if (name.startsWith('includeif.onbranch:')) sources.add(joinPath(gitDir, 'HEAD'));
  }
  return { own, kept, sources: [...sources] };
}

/** The files in which git always looks for settings. */
export function settingsFiles(ports: GitPorts, { watch }: Pick<WorkTree, 'watch'>): string[] {
  if (!watch) return [];
  const { commonDir, gitDir } = watch.repository;
  const own = [joinPath(commonDir, 'config'), joinPath(gitDir, 'config.worktree')];
  return [...(ports.defaultSettings ?? []), ...own];
}

function absolute(folder: string, path: string): string {
  return path.startsWith('/') ? path : joinPath(folder, path);
}
