// The tier of a finished piece of work: every test there is, the real agents included. Stopped in the middle, it goes on with the
// suites that have not passed yet; `--fresh` runs all of them again.
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

// Others need what it builds, and the folder for it is not part of the working tree.
const mustRun = ({ name }) => name === 'build';
// With a pattern it is not the whole suite that has passed.
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
