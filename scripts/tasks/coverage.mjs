// Runs the unit tests with coverage, then lists the error paths that no test ran: see
// docs/testing/coverage.md.
import { bin, exitCodeOf } from '../steps.mjs';

/** Features whose code runs anywhere. Process tests cover their `node` folders. */
const FOLDERS = ['recording', 'terminal', 'snapshots', 'branching', 'agents', 'redaction', 'scrub'];
const RESULTS = '.test-results/coverage';

// V8 writes one report for each process to `raw`.
const reports = ['--reporter', 'json', '--reporter', 'json-summary', '--reports-dir', RESULTS];
const sources = [
  '--all',
  '--src',
  'src',
  '--include',
  `src/{${FOLDERS.join(',')}}/**/*.ts`,
  '--exclude',
  'src/*/node/**',
];
const c8 = [bin('c8/bin/c8.js'), '--temp-directory', `${RESULTS}/raw`, ...reports, ...sources];
const unitTests = [process.execPath, 'scripts/tasks/suite.mjs', 'unit', ...process.argv.slice(2)];
const codes = [
  exitCodeOf([...c8, ...unitTests]),
  exitCodeOf(['scripts/coverage/reportGuards.mjs', RESULTS, ...FOLDERS]),
];
process.exitCode = codes.find((code) => code !== 0) ?? 0;
