// Fetches the native file watcher for any platform; npm installs only the one for this platform.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** @param target `linux-x64`, `darwin-arm64`, … */
export function watcherPackage(target) {
  return `@parcel/watcher-${target}${target.startsWith('linux') ? '-glibc' : ''}`;
}

/** @returns the folder of the module, fetched if missing, in the version of the lock file */
export function ensureWatcher(target) {
  const name = watcherPackage(target);
  const installed = path.join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const locked = lock.packages[`node_modules/${name}`];
  if (!locked) throw new Error(`The lock file has no ${name}.`);
  const folder = path.join(root, '.cache', `${path.basename(name)}-${locked.version}`);
  if (existsSync(folder)) return folder;
  // Renamed when complete, so that an interrupted download is not used.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    run('npm', ['pack', `${name}@${locked.version}`, '--silent'], unfinished);
    const file = `${name.slice(1).replace('/', '-')}-${locked.version}.tgz`;
    const sum = createHash('sha512').update(readFileSync(path.join(unfinished, file)));
    if (`sha512-${sum.digest('base64')}` !== locked.integrity)
      throw new Error(`The checksum of ${name} differs from the lock file.`);
    run('tar', ['-xzf', file, '--strip-components=1'], unfinished);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function run(command, args, cwd) {
  const shell = process.platform === 'win32';
  const { status } = spawnSync(command, args, {
    cwd,
    shell,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}
