// Runs `npm test` several times to find flaky tests: `npm run test:repeat -- 10`. The last two runs
// have two busy processes beside them. `.test-results/repeat.jsonl` logs the results; after an
// interruption the remaining runs follow.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { logFileOf, readLog, readSummary, resultsFolder } from '../testing/testLog.mjs';
import { treeId } from '../testing/treeId.mjs';

const RUNS_UNDER_LOAD = 2;
const BUSY_PROCESSES = 2;

const wanted = Number(process.argv[2] ?? 10);
if (!Number.isInteger(wanted) || wanted < 1) {
  console.error('Name the number of runs: npm run test:repeat -- 10');
  process.exit(1);
}
mkdirSync(resultsFolder, { recursive: true });
const logFile = path.join(resultsFolder, 'repeat.jsonl');
const tree = treeId();
const runs = existsSync(logFile)
  ? readFileSync(logFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
const done = runs.filter((run) => run.tree === tree);
if (done.length > 0) console.log(`${done.length} of ${wanted} runs are already done.`);

while (done.length < wanted) {
  const isLoaded = done.length >= wanted - RUNS_UNDER_LOAD;
  console.log(
    `\nRun ${done.length + 1} of ${wanted}${isLoaded ? ', beside two busy processes' : ''}`,
  );
  const run = runOnce(isLoaded);
  appendFileSync(logFile, `${JSON.stringify(run)}\n`);
  done.push(run);
}

for (const [index, { startedAt, seconds, isLoaded, passed, failed, failures }] of done.entries()) {
  const load = isLoaded ? ', under load' : '';
  console.log(
    `run ${index + 1}: ${startedAt}, ${seconds} s${load}: ${passed} passed, ${failed} failed`,
  );
  for (const failure of failures) console.log(`  ${failure}`);
}
process.exitCode = done.some(({ failed }) => failed > 0) ? 1 : 0;

function runOnce(isLoaded) {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const load = Array.from({ length: isLoaded ? BUSY_PROCESSES : 0 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    const test = path.join(import.meta.dirname, 'test.mjs');
    const { status, signal } = spawnSync(process.execPath, [test], { stdio: 'inherit' });
    if (signal === 'SIGINT' || status === 130) process.exit(130);
  } finally {
    for (const process of load) process.kill('SIGKILL');
  }
  const results = readSummary();
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failures = results.flatMap(({ name, code }) => {
    const failed = readLog(name).filter(({ state }) => state === 'failed');
    return failed.length === 0 && code !== 0
      ? [`${name}: see ${logFileOf(name)}`]
      : failed.map(({ title }) => `${name}: ${title}`);
  });
  const seconds = Math.round((performance.now() - start) / 1000);
  return {
    tree,
    startedAt,
    seconds,
    isLoaded,
    passed: sum('passed'),
    failed: sum('failed'),
    failures,
  };
}
