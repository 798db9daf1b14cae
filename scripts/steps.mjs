// The steps that tasks are made of. Each ends the process with a non-zero code when it fails; but suites of tests only leave
// that code behind, so that the suites after them still say what they have to say.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

// Ctrl-C is for the task: it ends by its own means, and this process with it.
process.on('SIGINT', () => {});

export const bin = (file) => path.join(root, 'node_modules', file);

/** Runs the pinned Node; ends this process with the same code when that fails. */
export function node(args, options = {}) {
  const code = codeOfNode(args, options);
  if (code !== 0) process.exit(code);
}

function codeOfNode(args, options = {}) {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  // Stopped by hand: whatever would follow is not wanted either.
  if (result.signal === 'SIGINT' || result.status === 130) process.exit(130);
  return result.status ?? 1;
}

function suite(args) {
  const code = codeOfNode(args);
  if (code !== 0) process.exitCode = code;
}

export function build(args) {
  node(['esbuild.mjs', ...args]);
}

/** Types, lint and format, all at once: they share nothing, and each has its say before a failure ends this process. */
export async function checks() {
  const codes = await Promise.all([
    beside([bin('eslint/bin/eslint.js'), '--max-warnings', '0', 'src', 'test', 'bench']),
    beside([bin('typescript/bin/tsc'), '-p', 'tsconfig.core.json']),
    beside([bin('typescript/bin/tsc'), '-p', 'tsconfig.json']),
    beside([bin('typescript/bin/tsc'), '-p', 'tsconfig.webview.json']),
    beside([bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']),
  ]);
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
}

/** @returns the exit code */
async function beside(args) {
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'exit');
  return code ?? 1;
}

/** Node 24 runs TypeScript as it is, so tests need no build of their own. */
export function mocha(args) {
  suite([bin('mocha/bin/mocha.js'), ...args]);
}

const TWO_AT_A_TIME = ['--parallel', '--jobs', '2'];

/** Files share nothing, and where they look at the clock they are generous. */
export function unitTests(args) {
  mocha([...TWO_AT_A_TIME, 'test/unit/**/*.test.ts', ...args]);
}

/** What mostly waits runs two files at a time; what measures, or looks at all that is on the machine, one after the other. */
export function processTests(args) {
  debianPackages({ 'mkfs.btrfs': 'btrfs-progs', sudo: 'sudo' });
  mocha([...TWO_AT_A_TIME, 'test/process/*/*.test.ts', ...args]);
  mocha(['test/process/*/alone/*.test.ts', ...args]);
}

/**
 * The timeline's page in a real browser, the suites inside a real extension host, then the journeys through a real editor. What
 * mostly waits runs two at a time; what measures, and `npm start`, which builds what all others run, one after the other.
 */
export function vscodeTests(args) {
  node(['test/vscode/harness/packagesMain.ts']);
  mocha([...TWO_AT_A_TIME, 'test/vscode/page/**/*.test.ts', ...args]);
  suite(['test/vscode/harness/inHostMain.ts', ...args]);
  const hooks = ['--require', 'test/vscode/harness/journeyHooks.ts'];
  mocha([...hooks, ...TWO_AT_A_TIME, 'test/vscode/journeys/**/*.test.ts', ...args]);
  mocha([...hooks, 'test/vscode/{limits,start}/**/*.test.ts', ...args]);
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
  if (install.status !== 0) {
    console.error(
      `These Debian packages are needed, and could not be installed: ${missing.join(', ')}`,
    );
    process.exit(1);
  }
}
