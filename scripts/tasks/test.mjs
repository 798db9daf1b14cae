// Runs the tests for each commit: types, lint, format, and all quick tests.
import { runSuites } from '../testing/runSuites.mjs';
import { QUICK, suites } from '../testing/suites.mjs';

await runSuites(
  QUICK.map((name) => suites[name]),
  { args: process.argv.slice(2) },
);
