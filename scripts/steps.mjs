// The steps that tasks are made of. Each ends the process when it fails, unless it says that it returns an exit code.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

// Ctrl-C also reaches the task, which exits; this process then exits, too.
process.on('SIGINT', () => {});

export const bin = (file) => path.join(root, 'node_modules', file);

/** Runs the pinned Node. */
export function node(args, options = {}) {
  const code = exitCodeOf(args, options);
  if (code !== 0) process.exit(code);
}

/** Runs the pinned Node, and returns its exit code. */
export function exitCodeOf(args, options = {}) {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  // The user pressed Ctrl-C: skip the remaining steps, too.
  if (result.signal === 'SIGINT' || result.status === 130) process.exit(130);
  return result.status ?? 1;
}

export function build(args) {
  node(['esbuild.mjs', ...args]);
}

/** Checks types, lint, import cycles, UI texts and format in parallel; each reports its own failures. Returns an exit code. */
export async function checks() {
  const codes = await Promise.all([
    runBeside([bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.']),
    runBeside(['scripts/lint/checkCycles.mjs']),
    runBeside([bin('typescript/bin/tsc'), '-p', 'tsconfig.core.json']),
    runBeside([bin('typescript/bin/tsc'), '-p', 'tsconfig.json']),
    runBeside([bin('typescript/bin/tsc'), '-p', 'tsconfig.webview.json']),
    runBeside(['scripts/lint/checkUiTexts.mjs']),
    runBeside([bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']),
  ]);
  return codes.find((code) => code !== 0) ?? 0;
}

async function runBeside(args) {
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'exit');
  return code ?? 1;
}

/**
 * Installs Debian packages whose commands are missing.
 * @param wanted package names by command
 */
export function debianPackages(wanted) {
  const isThere = (command) => spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
  const missing = Object.entries(wanted)
    .filter(([command]) => !isThere(command))
    .map(([, name]) => name);
  if (missing.length === 0) return;
  const install = spawnSync(
    'sh',
    ['-c', 'apt-get update -qq && apt-get install -y -qq "$@"', 'sh', ...missing],
    {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  );
  if (install.status === 0) return;
  console.error(`Can't install these Debian packages: ${missing.join(', ')}. Install them first.`);
  process.exit(1);
}
