// The longest tests: hundreds of kills, 120,000 damaged files, thousands of cuts, seeks and
// snapshots.
import { globSync, readFileSync } from 'node:fs';
import { runSuites } from '../testing/runSuites.mjs';
import { suites } from '../testing/suites.mjs';

process.env.AH_SOAK = '1';

/** Tests with a long form import test/support/soak.ts, which reads AH_SOAK. */
const hasLongForm = (file) => readFileSync(file, 'utf8').includes("support/soak.ts'");
const longForms = (pattern) => globSync(pattern).filter(hasLongForm);

await runSuites(
  [
    suites.build,
    suites.unit.withFiles(longForms('test/unit/**/*.test.ts')),
    suites.process.withFiles(longForms('test/process/*/*.test.ts')),
    suites.processAlone.withFiles(longForms('test/process/*/alone/*.test.ts')),
  ],
  { args: process.argv.slice(2), withSlowTests: true },
);
