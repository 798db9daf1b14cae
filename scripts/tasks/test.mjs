// The tier of every commit: types, lint, format, and all tests that answer soon.
import { runSuites } from '../testing/runSuites.mjs';
import { QUICK, suites } from '../testing/suites.mjs';

await runSuites(
  QUICK.map((name) => suites[name]),
  { args: process.argv.slice(2) },
);
