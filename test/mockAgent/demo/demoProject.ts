import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const projectFiles = path.join(import.meta.dirname, 'project');

/** Independent of the user's settings: no signing, no hooks, no name needed. */
const GIT_SETTINGS = [
  'user.name=Demo',
  'user.email=demo@localhost',
  'commit.gpgSign=false',
  'core.hooksPath=/dev/null',
  'init.defaultBranch=main',
];

/** Makes a git repository with a test that fails now and then, for the demo's agent to repair. */
export function makeDemoProject(folder: string, readme: string): void {
  cpSync(projectFiles, folder, { recursive: true });
  writeFileSync(path.join(folder, 'README.md'), readme);
  git(folder, 'init', '-q');
  git(folder, 'add', 'package.json', 'src', 'test');
  git(folder, 'commit', '-q', '-m', 'Run tasks in a pool of workers');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'Load the report month by month');
}

function git(cwd: string, ...args: string[]): void {
  const settings = GIT_SETTINGS.flatMap((setting) => ['-c', setting]);
  execFileSync('git', [...settings, ...args], { cwd, stdio: 'ignore' });
}
