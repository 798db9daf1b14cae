import { readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** Files in which a repository can name a working tree in another place, as submodules do. */
const FILES = ['config', 'config.worktree'];
const SETTING = 'core.worktree';

interface WorkingTreeSetting {
  /** The configuration file with the setting. */
  readonly file: string;
  readonly folder: string;
}

/** The working trees that the configuration of a git folder names. */
export async function workingTreesOf(gitDir: string): Promise<WorkingTreeSetting[]> {
  const found: WorkingTreeSetting[] = [];
  for (const file of FILES.map((name) => path.join(gitDir, name))) {
    // Search the text first: few files contain the setting, and starting git takes long.
    if (!/\bworktree\s*=/i.test(textOf(file))) continue;
    const { exitCode, stdout } = await gitConfig(gitDir, file, SETTING);
    const text = Buffer.from(stdout).toString().replace(/\n$/, '');
    if (exitCode === 0 && text !== '') found.push({ file, folder: path.resolve(gitDir, text) });
  }
  return found;
}

export async function setWorkingTree(file: string, folder: string): Promise<void> {
  const { exitCode, stderr } = await gitConfig(path.dirname(file), file, SETTING, folder);
  if (exitCode === 0) return;
  throw new UserError(
    'not-separated',
    `Can't create the branch: git can't change ${SETTING} in ${file}: ${stderr.trim()}`,
  );
}

function gitConfig(cwd: string, file: string, ...args: string[]) {
  return nodeExec('git', ['config', '--file', file, ...args], { cwd });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Most git folders lack one of the files.
  }
}
