// Reads and writes `.test-results`: a log for each suite, and a summary of the last run.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const resultsFolder = path.resolve(
  process.env.AH_TEST_RESULTS_FOLDER ?? path.join(import.meta.dirname, '../../.test-results'),
);
const lastRun = path.join(resultsFolder, 'last');
const summaryFile = path.join(lastRun, 'suites.json');

/**
 * @typedef {object} LogEntry one line of a suite's log
 * @property {'test' | 'hook' | 'window'} kind `window`: a test opened a VS Code window
 * @property {string} title
 * @property {string} [file] below the project's folder
 * @property {'passed' | 'failed' | 'pending'} state
 * @property {number} ms
 *
 * @typedef {object} SuiteResult
 * @property {string} name
 * @property {number} code exit code
 * @property {number} wallMs
 * @property {number} busyMs processor time of the whole machine during the suite
 * @property {number} budgetMs
 * @property {number} passed
 * @property {number} failed
 */

export function clearLastRun() {
  rmSync(lastRun, { recursive: true, force: true });
  mkdirSync(lastRun, { recursive: true });
}

export function logFileOf(suiteName) {
  return path.join(lastRun, `${suiteName}.jsonl`);
}

/** @returns {LogEntry[]} empty without a log */
export function readLog(suiteName) {
  const file = logFileOf(suiteName);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** @param {readonly SuiteResult[]} results */
export function writeSummary(results) {
  writeFileSync(summaryFile, `${JSON.stringify(results, undefined, 2)}\n`);
}

/** @returns {SuiteResult[]} empty before the first run */
export function readSummary() {
  return existsSync(summaryFile) ? JSON.parse(readFileSync(summaryFile, 'utf8')) : [];
}
