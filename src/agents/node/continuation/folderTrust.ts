import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPlace } from '../../common/adapter.ts';
import { fieldsOf, parseFields, stringsOf, textOf, type Fields } from '../../common/untrusted.ts';

/** What a launch in a new folder needs so that the agent trusts it as it trusts the old one. */
export interface CarriedTrust {
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

const NOTHING: CarriedTrust = { options: [], env: {}, warnings: [] };

/**
 * Agents ask before they work in a folder that they do not know. Some can be told for one launch that it is trusted, which is
 * done where the user trusts the folder it was made from; their lists of trusted folders are theirs and the user's.
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
      return trusting.some(isTrusted) ? NOTHING : asked('Claude Code', 'it ends otherwise');
    }
    case 'codex': {
      const file = path.join(env['CODEX_HOME'] || path.join(home, '.codex'), 'config.toml');
      const isTrusted = trustedInToml(await readText(file));
      if (isTrusted(to)) return NOTHING;
      if (!ancestorsOf(from).some(isTrusted)) return asked('Codex', 'it goes on then');
      const trusted = `projects={${JSON.stringify(to)}={trust_level="trusted"}}`;
      return { ...NOTHING, options: ['-c', trusted] };
    }
    case 'gemini': {
      const root = path.join(env['GEMINI_CLI_HOME'] || home, '.gemini');
      const folders = await readJson(path.join(root, 'trustedFolders.json'));
      const isTrusted = (folder: string): boolean =>
        textOf(folders[folder])?.startsWith('TRUST') === true;
      if (ancestorsOf(to).some(isTrusted) || !ancestorsOf(from).some(isTrusted)) return NOTHING;
      return { ...NOTHING, env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
    }
    case 'copilot': {
      const root = env['COPILOT_HOME'] || path.join(home, '.copilot');
      const config = await readJson(path.join(root, 'config.json'));
      const folders = [
        ...stringsOf(config['trustedFolders']),
        // Before the agent has written it anew.
        ...stringsOf(config['trusted_folders']),
      ];
      const isTrusted = (folder: string): boolean => folders.includes(folder);
      const trusting = [...ancestorsOf(to), ...(isWorktree ? [await mainRepository(from)] : [])];
      return trusting.some(isTrusted) ? NOTHING : asked('Copilot CLI', 'it goes on then');
    }
    default:
      return NOTHING;
  }
}

function asked(name: string, then: string): CarriedTrust {
  const warning = `${name} asks whether you trust the new folder, before it reads the message; say yes, ${then}.`;
  return { ...NOTHING, warnings: [warning] };
}

/** Whose trust holds for a working tree of `folder`: that of the repository's first one. */
async function mainRepository(folder: string): Promise<string> {
  const linked = /^gitdir: (.*)\/\.git\/worktrees\/[^/]+$/m.exec(
    await readText(path.join(folder, '.git')),
  );
  return linked?.[1] ?? folder;
}

/** A copy of a repository has to be trusted itself; what is none may have its trust from a folder above it. */
async function repositoryOr(from: string, to: string): Promise<string[]> {
  const isRepository = await lstat(path.join(from, '.git')).then(
    () => true,
    () => false,
  );
  return isRepository ? [to] : ancestorsOf(to);
}

/** The folder itself first. */
function ancestorsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

/** Just the one table, which the agent itself writes: `[projects."/a/b"]`, then its level. */
function trustedInToml(text: string): (folder: string) => boolean {
  return (folder) => {
    const heading = `[projects.${JSON.stringify(folder)}]`;
    const at = text.indexOf(heading);
    if (at < 0) return false;
    const table = text.slice(at + heading.length).split(/^\[/m, 1)[0]!;
    return /^\s*trust_level\s*=\s*["']trusted["']/m.test(table);
  };
}

/** Some put lines of comment above what they write. */
async function readJson(file: string): Promise<Fields> {
  return parseFields((await readText(file)).replace(/^\s*\/\/.*$/gm, '')) ?? {};
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
