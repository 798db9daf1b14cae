// Large tools that only some tasks need: installed on demand, beside the project's own packages, in the user's cache.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Installs what the lock file in `manifestFolder` says, once per lock file: every clone finds it, none finds a stale one. */
export function installTool(manifestFolder, name) {
  const lock = readFileSync(path.join(manifestFolder, 'package-lock.json'));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const folder = path.join(cache, 'ah-time-travel', `${name}-${version}`);
  if (existsSync(folder)) return folder;
  console.log(`Installing ${name}; once, and it may take some minutes …`);
  // Elsewhere first: an interrupted installation must not look like a complete one.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(path.join(manifestFolder, file), path.join(unfinished, file));
  }
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // The npm that started this task may run on an older Node, and says so in its name: installers would believe it.
  const { npm_config_user_agent: _, ...env } = process.env;
  const shell = process.platform === 'win32';
  const result = spawnSync('npm', args, { cwd: unfinished, stdio: 'inherit', shell, env });
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`${name} could not be installed; see the message of npm above.`);
  }
  renameSync(unfinished, folder);
  return folder;
}
