import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPlace } from '../../common/adapter.ts';
import { fieldsOf, parseFields, stringsOf, textOf, type Fields } from '../../common/untrusted.ts';

/** What a launch needs so that the agent trusts the new folder as it trusts the old one. */
export interface CarriedTrust {
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

export const NO_TRUST: CarriedTrust = { options: [], env: {}, warnings: [] };

/**
 * Agents ask before they work in an unknown folder. If the user trusts the original folder, this
 * trusts the new one for a single launch, where the agent has an option for that. The agents' own
 * lists of trusted folders stay unchanged.
 */
export async function carriedTrust(
  agent: string,
  { from, isWorktree }: { readonly from: string; readonly isWorktree: boolean },
  { env, home, cwd: to }: AgentPlace,
): Promise<CarriedTrust> {
  switch (agent) {
    case 'claudeCode': {
      const file = path.join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
      const projects = fieldsOf((await readJson(file))['projects']);
      const isTrusted = (folder: string): boolean =>
        fieldsOf(projects[folder])['hasTrustDialogAccepted'] === true;
      const trusting = isWorktree ? [to, await mainRepository(from)] : await repositoryOr(from, to);
      return trusting.some(isTrusted) ? NO_TRUST : asks('Claude Code', 'otherwise it exits');
    }
    case 'codex': {
      const file = path.join(env['CODEX_HOME'] || path.join(home, '.codex'), 'config.toml');
      const isTrusted = trustedInToml(await readText(file));
      if (isTrusted(to)) return NO_TRUST;
      if (!ancestorsOf(from).some(isTrusted)) {
        // Codex trusts the worktrees of a trusted repository, such as a branch of a branch.
        if (isWorktree && isTrusted(await mainRepository(from))) return NO_TRUST;
        return asks('Codex', 'then it continues');
      }
      const trusted = `projects={${JSON.stringify(to)}={trust_level="trusted"}}`;
      return { ...NO_TRUST, options: ['-c', trusted] };
    }
    case 'gemini': {
      const root = path.join(env['GEMINI_CLI_HOME'] || home, '.gemini');
      const folders = await readJson(path.join(root, 'trustedFolders.json'));
      const isTrusted = (folder: string): boolean =>
        textOf(folders[folder])?.startsWith('TRUST') === true;
      if (ancestorsOf(to).some(isTrusted) || !ancestorsOf(from).some(isTrusted)) return NO_TRUST;
      return { ...NO_TRUST, env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
    }
    case 'copilot': {
      const root = env['COPILOT_HOME'] || path.join(home, '.copilot');
      const config = await readJson(path.join(root, 'config.json'));
      const folders = [
        ...stringsOf(config['trustedFolders']),
        // The name of this field in files that older versions of Copilot CLI wrote.
        ...stringsOf(config['trusted_folders']),
      ];
      const isTrusted = (folder: string): boolean => folders.includes(folder);
      const trusting = [...ancestorsOf(to), ...(isWorktree ? [await mainRepository(from)] : [])];
      return trusting.some(isTrusted) ? NO_TRUST : asks('Copilot CLI', 'then it continues');
    }
    default:
      return NO_TRUST;
  }
}

function asks(name: string, then: string): CarriedTrust {
  const warning = `${name} asks whether you trust the new folder before it reads the message. Answer yes; ${then}.`;
  return { ...NO_TRUST, warnings: [warning] };
}

/** The main repository of a git worktree, whose trust applies to all of its worktrees. */
async function mainRepository(folder: string): Promise<string> {
  const linked = /^gitdir: (.*)\/\.git\/worktrees\/[^/]+$/m.exec(
    await readText(path.join(folder, '.git')),
  );
  return linked?.[1] ?? folder;
}

/**
 * The folders whose trust counts for `to`: a repository must be trusted itself; any other folder
 * also inherits the trust of its parents.
 */
async function repositoryOr(from: string, to: string): Promise<string[]> {
  const isRepository = await lstat(path.join(from, '.git')).then(
    () => true,
    () => false,
  );
  return isRepository ? [to] : ancestorsOf(to);
}

/** The folder and its parents, nearest first. */
function ancestorsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

/** Reads only the tables that Codex writes: `[projects."/a/b"]` with a `trust_level`. */
function trustedInToml(text: string): (folder: string) => boolean {
  return (folder) => {
    const heading = `[projects.${JSON.stringify(folder)}]`;
    const at = text.indexOf(heading);
    if (at < 0) return false;
    const [table = ''] = text.slice(at + heading.length).split(/^\[/m, 1);
    return /^\s*trust_level\s*=\s*["']trusted["']/m.test(table);
  };
}

/** Reads JSON from a file, without the comment lines that some agents write. */
async function readJson(file: string): Promise<Fields> {
  return parseFields((await readText(file)).replace(/^\s*\/\/.*$/gm, '')) ?? {};
}

/** Empty when the file is missing or unreadable: then no folder is trusted. */
async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
