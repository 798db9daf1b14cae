// Runs every test, the real agents included. After an interruption it continues with the suites
// that have not passed; `--fresh` runs all of them.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runSuites } from '../testing/runSuites.mjs';
import { QUICK, REST, suites } from '../testing/suites.mjs';
import { resultsFolder } from '../testing/testLog.mjs';
import { treeId } from '../testing/treeId.mjs';

const given = process.argv.slice(2);
const args = given.filter((arg) => arg !== '--fresh');
const passed = path.join(resultsFolder, 'passed', treeId());
mkdirSync(passed, { recursive: true });
const fileOf = ({ name }) => path.join(passed, name);

// The other suites need the bundles, and git ignores their folder, so the tree's ID does not cover
// them.
const mustRun = ({ name }) => name === 'build';
// With a pattern, only a part of the suite has passed.
const isWhole = args.length === 0;
await runSuites(
  [...QUICK, ...REST].map((name) => suites[name]),
  {
    args,
    withSlowTests: true,
    isDone: (suite) =>
      isWhole && !given.includes('--fresh') && !mustRun(suite) && existsSync(fileOf(suite)),
    onPassed: (suite) => isWhole && writeFileSync(fileOf(suite), ''),
  },
);
