import { joinPath } from '../../common/posixPath.ts';
import { readRuleSettings, settingsFiles } from './ruleSettings.ts';
import type { RuleSettings } from './ruleSettings.ts';
import { fingerprintsOf } from './ruleFingerprints.ts';
import type { RuleOptions, ScanContext, WorkTree } from '../scan/workTree.ts';

/**
 * How often to look again, because the first look may reveal more files to look at. After that,
 * settings that keep changing are used as they are.
 */
const ATTEMPTS = 3;
/** Differs from every fingerprint of files, so the next scan finds the rules again. */
const UNSETTLED = 'unsettled';

/** Finds the ignore rules outside of the work tree, such as those of git settings. */
export async function findRules(context: ScanContext, workTree: WorkTree): Promise<RuleOptions> {
  const { ports } = context;
  const fixed = [...settingsFiles(ports, workTree), ...fixedRuleFiles(context, workTree)];
  let sources = workTree.memory.options?.sources ?? fixed;
  for (let attempt = 0; ; attempt += 1) {
    // Take the fingerprints before git reads the files, so that a change meanwhile is noticed.
    const fingerprints = await fingerprintsOf(ports, sources);
    const found = await readRuleSettings(workTree);
    const needed = [...new Set([...fixed, ...found.sources, ...(found.own ? [found.own] : [])])];
    const isWhole = needed.join('\n') === sources.join('\n');
    if (isWhole || attempt === ATTEMPTS) {
      const known = sources;
      const fingerprintOf = (path: string) => fingerprints[known.indexOf(path)] ?? '';
      const fingerprint = isWhole ? fingerprints.join('|') : UNSETTLED;
      return {
        ...(await optionsFor(context, workTree, found, fingerprintOf)),
        sources,
        fingerprint,
      };
    }
    sources = needed;
  }
}

/**
 * Whether rules outside of the work tree changed since the last scan. Usually this only looks at
 * some files.
 */
export async function haveRulesChanged(context: ScanContext, workTree: WorkTree): Promise<boolean> {
  const before = workTree.memory.options;
  if (!before) return true;
  if ((await fingerprintsOf(context.ports, before.sources)).join('|') === before.fingerprint)
    return false;
  workTree.memory.options = await findRules(context, workTree);
  return workTree.memory.options.rules !== workTree.memory.rules;
}

async function optionsFor(
  context: ScanContext,
  workTree: WorkTree,
  { own, kept }: RuleSettings,
  fingerprintOf: (path: string) => string,
): Promise<Pick<RuleOptions, 'settings' | 'excludes' | 'rules'>> {
  const settings = own ? ['-c', `core.excludesFile=${own}`] : [];
  const excludes = ['--exclude-standard'];
  if (workTree.watch) {
    // These patterns override all rules in files.
    excludes.push(...kept.map((pattern) => `--exclude=!${pattern}`));
    const exclude = excludeFile(workTree.watch.repository);
    // The last rule file is the strongest, as in git. git ignores an unreadable exclude file, but
    // fails if it is named here.
    if (fingerprintOf(exclude) && (await context.ports.files.canRead(exclude)))
      excludes.push(`--exclude-from=${exclude}`);
  }
  const fingerprints = fixedRuleFiles(context, workTree).map(fingerprintOf);
  const rules = [...fingerprints, own, own && fingerprintOf(own), ...kept];
  return { settings, excludes, rules: JSON.stringify(rules) };
}

/** The rule files that git reads although no setting names them. */
function fixedRuleFiles({ ports }: ScanContext, workTree: WorkTree): string[] {
  const files = ports.defaultExcludes === undefined ? [] : [ports.defaultExcludes];
  if (workTree.watch) files.push(excludeFile(workTree.watch.repository));
  // If the workspace is a part of a repository, rules in the folders above it count too.
  for (let above = workTree.prefix; above !== '';) {
    above = above.slice(0, Math.max(0, above.lastIndexOf('/')));
    files.push(joinPath(joinPath(workTree.root, above), '.gitignore'));
  }
  return files;
}

function excludeFile({ commonDir }: { readonly commonDir: string }): string {
  return joinPath(commonDir, 'info/exclude');
}
