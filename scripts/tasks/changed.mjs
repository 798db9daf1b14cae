// Runs the tests that a change affects. `npm run test:changed -- <commit>` takes the change since a
// commit; the default is everything uncommitted and, on a branch, everything that `main` lacks.
// Tests that would exceed two minutes in total are listed, not run.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { chooseTests } from '../testing/changedTests.mjs';
import { readFileSeconds } from '../testing/fileTimes.mjs';
import { runSuites } from '../testing/runSuites.mjs';
import { suites } from '../testing/suites.mjs';

const LIMIT_S = 120;
const root = path.resolve(import.meta.dirname, '../..');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const lines = (text) => text.split('\n').filter(Boolean);

const commit = process.argv[2] ?? git('merge-base', 'main', 'HEAD');
const changed = [
  ...lines(git('diff', '--name-only', commit)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
];
if (changed.length === 0) {
  console.log(`No file has changed since ${commit}.`);
  process.exit(0);
}
const chosen = chooseTests(root, changed, readFileSeconds());
const run = [];
let seconds = 0;
for (const group of chosen) {
  if (seconds + group.seconds > LIMIT_S) {
    console.log(`Not run, about ${group.seconds} s: ${group.suite}`);
    for (const file of group.files) console.log(`  ${file}`);
  } else {
    seconds += group.seconds;
    run.push(group);
  }
}
console.log(`${changed.length} changed files. Running ${run.length} suites, about ${seconds} s.`);
const needsBuild = run.some(({ suite }) => suite !== 'unit');
await runSuites([
  ...(needsBuild ? [suites.build] : []),
  ...run.map(({ suite, files }) => suites[suite].withFiles(files)),
]);
