// Runs test suites one after the other, then prints the result and duration of each.
import { measurePace, busyMs } from './machinePace.mjs';
import { keepFileSeconds } from './fileTimes.mjs';
import { clearLastRun, logFileOf, readLog, writeSummary } from './testLog.mjs';
import { printSuites, printWhereTimeWent } from './printTimes.mjs';

/** The default time limit of a test at pace 1. */
const TEST_TIMEOUT_MS = 60_000;

/**
 * Continues after a failed suite, except after a failed build.
 *
 * @param {readonly import('./suites.mjs').Suite[]} suites
 * @param {object} [options]
 * @param {readonly string[]} [options.args] options for Mocha
 * @param {boolean} [options.withSlowTests] include tests of more than five seconds
 * @param {(suite: import('./suites.mjs').Suite) => boolean} [options.isDone] suites to skip
 * @param {(suite: import('./suites.mjs').Suite) => void} [options.onPassed]
 * @param {number} [options.pace] factor for time limits
 */
export async function runSuites(suites, options = {}) {
  const { args = [], withSlowTests, isDone, onPassed, pace = measurePace() } = options;
  clearLastRun();
  process.env.AH_PACE = String(pace);
  process.env.AH_TIER = withSlowTests ? 'all' : 'quick';
  if (pace > 1) console.log(`This machine is slow: time limits are multiplied by ${pace}.`);
  const results = [];
  for (const suite of suites) {
    if (isDone?.(suite)) {
      console.log(`\n${suite.name}: already passed with the same files; --fresh runs it again.`);
      continue;
    }
    const result = await runSuite(suite, args, pace);
    results.push(result);
    writeSummary(results);
    if (result.code === 0) onPassed?.(suite);
    else process.exitCode = result.code;
    if (suite.name === 'build' && result.code !== 0) break;
  }
  printSuites(results);
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  // `.ci/run` reads this line.
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return results;
}

/** @returns {Promise<import('./testLog.mjs').SuiteResult>} */
async function runSuite(suite, args, pace) {
  console.log(`\n${suite.name}`);
  process.env.AH_TEST_LOG = logFileOf(suite.name);
  const start = performance.now();
  const busyBefore = busyMs();
  const timeout = ['--timeout', String(TEST_TIMEOUT_MS * pace)];
  let code = await suite.run(suite.hasTests ? [...timeout, ...args] : args);
  const wallMs = performance.now() - start;
  const tests = readLog(suite.name).filter(({ kind }) => kind === 'test');
  const count = (state) => tests.filter((test) => test.state === state).length;
  const [passed, failed] = [count('passed'), count('failed')];
  if (suite.hasTests && code === 0 && passed === 0 && args.length === 0) {
    console.error(`${suite.name} ran no test.`);
    code = 1;
  }
  const result = {
    name: suite.name,
    code,
    wallMs: Math.round(wallMs),
    busyMs: busyMs() - busyBefore,
    budgetMs: suite.budgetS * 1000 * pace,
    passed,
    // A failure outside of tests: types, the runner, a window that did not open.
    failed: code !== 0 && failed === 0 ? 1 : failed,
  };
  if (result.wallMs > result.budgetMs) printWhereTimeWent(result, readLog(suite.name));
  if (args.length === 0) keepFileSeconds(readLog(suite.name));
  return result;
}
