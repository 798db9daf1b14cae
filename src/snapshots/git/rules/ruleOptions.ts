import { joinPath } from '../../common/posixPath.ts';
import { readRuleSettings, settingsFiles } from './ruleSettings.ts';
import type { RuleSettings } from './ruleSettings.ts';
import { signsOf } from './ruleSigns.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';

/** The first look may find that there are more files to look at; settings that go on changing are not waited for. */
const ATTEMPTS = 3;
/** No sign of any files. */
const UNSETTLED = 'unsettled';

export interface RuleOptions {
  readonly settings: readonly string[];
  readonly excludes: readonly string[];
  /** Differs when these rules differ. */
  readonly rules: string;
  /** All files that say which rules there are, those that are not there included. */
  readonly sources: readonly string[];
  /** Of the sources: as long as it is the same, so are the rules. */
  readonly sign: string;
}

/** Where the user's git finds rules outside the tree. */
export async function findRules(context: ScanContext, unit: WorkTree): Promise<RuleOptions> {
  const { ports } = context;
  const fixed = [...settingsFiles(ports, unit), ...fixedRuleFiles(context, unit)];
  let sources = unit.memory.options?.sources ?? fixed;
  for (let attempt = 0; ; attempt += 1) {
    // Looked at before they are read: what changes meanwhile shows.
    const signs = await signsOf(ports, sources);
    const told = await readRuleSettings(unit);
    const needed = [...new Set([...fixed, ...told.sources, ...(told.own ? [told.own] : [])])];
    const isWhole = needed.join('\n') === sources.join('\n');
    if (isWhole || attempt === ATTEMPTS) {
      const known = sources;
      const signOf = (path: string) => signs[known.indexOf(path)] ?? '';
      const sign = isWhole ? signs.join('|') : UNSETTLED;
      return { ...(await optionsFor(context, unit, told, signOf)), sources, sign };
    }
    sources = needed;
  }
}

/** Whether rules outside the tree are others than those that the last scan followed. Some looks at files, mostly. */
export async function haveRulesChanged(context: ScanContext, unit: WorkTree): Promise<boolean> {
  const before = unit.memory.options;
  if (!before) return true;
  if ((await signsOf(context.ports, before.sources)).join('|') === before.sign) return false;
  unit.memory.options = await findRules(context, unit);
  return unit.memory.options.rules !== unit.memory.rules;
}

async function optionsFor(
  context: ScanContext,
  unit: WorkTree,
  { own, kept }: RuleSettings,
  signOf: (path: string) => string,
): Promise<Pick<RuleOptions, 'settings' | 'excludes' | 'rules'>> {
  const settings = own ? ['-c', `core.excludesFile=${own}`] : [];
  const excludes = ['--exclude-standard'];
  if (unit.watch) {
    // Stronger than all rules in files.
    excludes.push(...kept.map((pattern) => `--exclude=!${pattern}`));
    const exclude = excludeFile(unit.watch.repository);
    // Given last, it is the stronger, as always. git ignores one that it cannot read, such as a broken link, but not here.
    if (signOf(exclude) && (await context.ports.files.canRead(exclude)))
      excludes.push(`--exclude-from=${exclude}`);
  }
  const signs = fixedRuleFiles(context, unit).map(signOf);
  const rules = [...signs, own, own && signOf(own), ...kept];
  return { settings, excludes, rules: JSON.stringify(rules) };
}

/** The files with rules that no setting names. */
function fixedRuleFiles({ ports }: ScanContext, unit: WorkTree): string[] {
  const files = ports.usualExcludes === undefined ? [] : [ports.usualExcludes];
  if (unit.watch) files.push(excludeFile(unit.watch.repository));
  // Rules above the part that is kept count there, too.
  for (let above = unit.prefix; above !== '';) {
    above = above.slice(0, Math.max(0, above.lastIndexOf('/')));
    files.push(joinPath(joinPath(unit.root, above), '.gitignore'));
  }
  return files;
}

function excludeFile({ commonDir }: { readonly commonDir: string }): string {
  return joinPath(commonDir, 'info/exclude');
}
