// Starts every npm script, so that each works in a fresh clone: installs missing packages, then
// runs the task on the pinned Node (the machine's own may be older than VS Code's). Needs only Node
// 20 and npm.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

// Ctrl-C also reaches the task, which cleans up and exits; this process then follows.
process.on('SIGINT', () => {});

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Installs the npm packages unless node_modules matches the lock file. */
function installPackages() {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  const stamp = 'node_modules/.installed';
  try {
    if (readFileSync(stamp, 'utf8') === lock) return;
  } catch {
    // Not installed yet.
  }
  console.log('Installing npm packages …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
  });
  mkdirSync('node_modules', { recursive: true });
  writeFileSync(stamp, lock);
}

installPackages();

const pinned = path.join(root, 'node_modules/node/bin');
const separator = process.platform === 'win32' ? ';' : ':';
const env = { ...process.env, PATH: `${pinned}${separator}${process.env.PATH}` };
const [task, ...rest] = process.argv.slice(2);
run(path.join(pinned, 'node'), [path.join(root, 'scripts/tasks', `${task}.mjs`), ...rest], { env });
