import { readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** Where a repository may say that its working tree is elsewhere: submodules do. */
const FILES = ['config', 'config.worktree'];
const SETTING = 'core.worktree';

interface WorkingTreeSetting {
  /** The file that says so. */
  readonly file: string;
  readonly folder: string;
}

/** Each working tree that the settings of a git folder name. */
export async function workingTreesOf(gitDir: string): Promise<WorkingTreeSetting[]> {
  const found: WorkingTreeSetting[] = [];
  for (const file of FILES.map((name) => path.join(gitDir, name))) {
    // Mostly it says nothing of the kind; to ask git takes longer than to copy a whole project.
    if (!/\bworktree\s*=/i.test(textOf(file))) continue;
    const { exitCode, stdout } = await gitConfig(gitDir, file, SETTING);
    const said = Buffer.from(stdout).toString().replace(/\n$/, '');
    if (exitCode === 0 && said !== '') found.push({ file, folder: path.resolve(gitDir, said) });
  }
  return found;
}

export async function setWorkingTree(file: string, folder: string): Promise<void> {
  const { exitCode, stderr } = await gitConfig(path.dirname(file), file, SETTING, folder);
  if (exitCode === 0) return;
  throw new UserError('not-separated', `${file} still leads to the original: ${stderr.trim()}`);
}

function gitConfig(cwd: string, file: string, ...args: string[]) {
  return nodeExec('git', ['config', '--file', file, ...args], { cwd });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
