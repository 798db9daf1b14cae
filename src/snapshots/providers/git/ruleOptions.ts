import { joinPath } from '../volume/posixPath.ts';
import { signOf } from './fileSign.ts';
import type { UserRepository } from './repository.ts';
import type { ScanContext, Unit } from './unit.ts';
import { pathsOf } from './zeroSeparated.ts';

export interface RuleOptions {
  readonly settings: readonly string[];
  readonly excludes: readonly string[];
  /** Differs when these rules differ. */
  readonly rules: string;
}

/** Where the user's git finds rules outside the tree. */
export async function findRules(context: ScanContext, unit: Unit): Promise<RuleOptions> {
  const repository = unit.watch?.repository;
  const excludes = ['--exclude-standard'];
  const settings: string[] = [];
  const usual = context.ports.usualExcludes;
  let rules = usual === undefined ? '' : await signOf(context, usual);
  if (repository) {
    const { own, kept } = await ruleSettings(repository);
    if (own) settings.push('-c', `core.excludesFile=${own}`);
    // Stronger than all rules in files.
    excludes.push(...kept.map((pattern) => `--exclude=!${pattern}`));
    const exclude = joinPath(repository.commonDir, 'info/exclude');
    const sign = await signOf(context, exclude);
    // Given last, it is the stronger, as always.
    if (sign) excludes.push(`--exclude-from=${exclude}`);
    rules += `|${own}|${own && (await signOf(context, own))}|${sign}|${JSON.stringify(kept)}`;
  }
  // Rules above the part that is kept count there, too.
  for (let above = unit.prefix; above !== '';) {
    above = above.slice(0, Math.max(0, above.lastIndexOf('/')));
    rules += `|${await signOf(context, joinPath(joinPath(unit.root, above), '.gitignore'))}`;
  }
  return { settings, excludes, rules };
}

/** The user's own file of rules, and what is to be kept though a rule ignores it (`git config --add ah.keepIgnored .env`). */
async function ruleSettings(
  repository: UserRepository,
): Promise<{ readonly own: string; readonly kept: readonly string[] }> {
  const names = '^(core\\.excludesfile|ah\\.keepignored)$';
  const { stdout } = await repository.run(['config', '-z', '--type=path', '--get-regexp', names]);
  let own = '';
  const kept: string[] = [];
  for (const setting of pathsOf(stdout)) {
    const end = setting.indexOf('\n');
    const value = end < 0 ? '' : setting.slice(end + 1);
    if (setting.startsWith('core.')) own = value;
    else if (value) kept.push(value);
  }
  return { own, kept };
}
