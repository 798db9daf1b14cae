// The sources that StrykerJS mutates and the tests that must detect it. See
// docs/testing/mutants.md.
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const results = path.join(root, '.cache/mutants');

export default {
  packageManager: 'npm',
  mutate: [
    'src/recording/{format,read,write}/**/*.ts',
    'src/scrub/common/**/*.ts',
    'src/snapshots/common/retention*.ts',
  ],
  plugins: [path.join(import.meta.dirname, 'mochaRunner.mjs')],
  testRunner: 'project-mocha',
  projectMocha: {
    // The tests of a mutant stop at the first failure, so the slowest file comes last.
    spec: [
      'test/unit/snapshots/common/retention*.test.ts',
      'test/unit/scrub/common/*.test.ts',
      'test/unit/recording/*.test.ts',
      'test/unit/recording/{format,write}/*.test.ts',
      'test/unit/recording/read/!(hostile).test.ts',
      'test/unit/recording/read/hostile.test.ts',
    ],
  },
  // Each mutant runs against the tests that reach it.
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.AH_MUTANT_JOBS ?? 2),
  // Ends endless loops; the runner itself detects tests that wait forever.
  timeoutMS: 15_000,
  timeoutFactor: 1.5,
  tempDirName: path.join(results, 'sandbox'),
  // Without a tsconfig, StrykerJS does not ask for the compiler.
  ignorePatterns: [
    'dist',
    '.cache',
    '.vscode-test',
    '.test-results',
    'docs',
    'media',
    '*.vsix',
    'tsconfig*.json',
  ],
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: path.join(results, 'report.json') },
};
