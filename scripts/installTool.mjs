// Installs large tools that only some tasks need, in the user's cache instead of node_modules.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Installs the lock file in `manifestFolder` into a folder named by its hash, which all clones
 * share.
 */
export function installTool(manifestFolder, name) {
  const lock = readFileSync(path.join(manifestFolder, 'package-lock.json'));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const folder = path.join(cache, 'ah-time-travel', `${name}-${version}`);
  if (existsSync(folder)) return folder;
  console.log(`Installing ${name} (once, may take some minutes) …`);
  // Renamed when complete, so that an interrupted installation is not used.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(path.join(manifestFolder, file), path.join(unfinished, file));
  }
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // The npm that started this task may run on an older Node, which installers read from this
  // variable.
  const { npm_config_user_agent: _, ...env } = process.env;
  const shell = process.platform === 'win32';
  const result = spawnSync('npm', args, { cwd: unfinished, stdio: 'inherit', shell, env });
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`Can't install ${name}; see npm's message above.`);
  }
  renameSync(unfinished, folder);
  return folder;
}
