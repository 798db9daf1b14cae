// All test suites. The folder of a test decides its suite and tier; a test of more than five
// seconds in a folder of quick ones is a `slowTest` (test/support/tiers.ts).
import { bin, checks, debianPackages, exitCodeOf, node } from '../steps.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {number} budgetS seconds on two processors with warm caches; a slower run prints where the time went
 * @property {(args: readonly string[]) => number | Promise<number>} run
 *   @param args options for Mocha, such as `--grep`
 *   @returns the exit code
 * @property {boolean} [hasTests] a run without tests fails
 * @property {(files: readonly string[]) => Suite} [withFiles] the suite with only some of its files
 */

const journeyHooks = ['--require', 'test/vscode/harness/journeyHooks.ts'];

/** @type {Record<string, Suite>} */
export const suites = {
  checks: { budgetS: 60, run: checks },
  build: { budgetS: 15, run: () => exitCodeOf(['esbuild.mjs']) },
  unit: mochaSuite({ budgetS: 100, jobs: 3, files: ['test/unit/**/*.test.ts'] }),
  process: mochaSuite({
    budgetS: 180,
    jobs: 3,
    files: ['test/process/*/*.test.ts'],
    prepare: () =>
      debianPackages({ 'mkfs.btrfs': 'btrfs-progs', sudo: 'sudo', zsh: 'zsh', fish: 'fish' }),
  }),
  // Tests in these folders measure, or check everything that runs on the machine.
  processAlone: mochaSuite({ budgetS: 90, jobs: 1, files: ['test/process/*/alone/*.test.ts'] }),
  page: mochaSuite({
    budgetS: 100,
    // More than processors: a page mostly waits for its browser to draw.
    jobs: 3,
    files: ['test/vscode/page/**/*.test.ts'],
    prepare: installEditorPackages,
  }),
  inHost: inHostSuite({ budgetS: 80, files: [] }),
  promises: mochaSuite({
    budgetS: 120,
    jobs: 1,
    files: ['test/vscode/promises/**/*.test.ts'],
    options: journeyHooks,
    prepare: installEditorPackages,
  }),
  journeys: mochaSuite({
    budgetS: 900,
    jobs: 2,
    files: ['test/vscode/journeys/**/*.test.ts'],
    options: journeyHooks,
    prepare: installEditorPackages,
  }),
  // These tests measure, and `npm start` rebuilds the bundles that other suites use.
  limits: mochaSuite({
    budgetS: 420,
    jobs: 1,
    files: ['test/vscode/{limits,start}/**/*.test.ts'],
    options: journeyHooks,
    prepare: installEditorPackages,
  }),
  // The real agents from npm, against a mock of their providers on loopback.
  agents: mochaSuite({
    budgetS: 600,
    jobs: 1,
    files: [
      ...(process.env['UPDATE_FIXTURES'] ? ['test/agents/fixtures.ts'] : []),
      'test/agents/**/*.test.ts',
    ],
  }),
  // Slow: a virtual machine without hardware support, built once (10 more minutes).
  zfs: { budgetS: 900, run: (args) => exitCodeOf(['scripts/tasks/zfs.mjs', ...args]) },
};
for (const [name, suite] of Object.entries(suites)) suite.name = name;

/** The suites of `npm test`. */
export const QUICK = [
  'checks',
  'build',
  'unit',
  'process',
  'processAlone',
  'page',
  'inHost',
  'promises',
];

/** The suites that `npm run test:all` adds. */
export const REST = ['journeys', 'limits', 'agents', 'zfs'];

/** Node 24 runs TypeScript directly, so tests need no build. */
function mochaSuite(definition) {
  const { files, jobs, options = [], prepare = () => {}, budgetS } = definition;
  const parallel = jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : [];
  return {
    budgetS,
    hasTests: true,
    run(args) {
      prepare();
      return exitCodeOf([bin('mocha/bin/mocha.js'), ...options, ...parallel, ...files, ...args]);
    },
    withFiles(some) {
      return { ...mochaSuite({ ...definition, files: some }), name: this.name };
    },
  };
}

/** Runs all files by default; they share one window. */
function inHostSuite({ budgetS, files }) {
  return {
    budgetS,
    hasTests: true,
    run(args) {
      installEditorPackages();
      const chosen = files.flatMap((file) => ['--file', file]);
      return exitCodeOf(['test/vscode/harness/inHostMain.ts', ...chosen, ...args]);
    },
    withFiles(some) {
      return { ...inHostSuite({ budgetS, files: some }), name: this.name };
    },
  };
}

function installEditorPackages() {
  node(['test/vscode/harness/packagesMain.ts']);
}
