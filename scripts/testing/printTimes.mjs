// Prints tables of where the time of a test run went.

const SLOWEST = 10;

/** @param {readonly import('./testLog.mjs').SuiteResult[]} results */
export function printSuites(results) {
  const rows = results.map((result) => [
    result.name,
    String(result.passed || ''),
    String(result.failed || ''),
    seconds(result.wallMs),
    `${seconds(result.budgetMs)}${result.wallMs > result.budgetMs ? ' over' : ''}`,
    processorShare(result),
  ]);
  const wallMs = results.reduce((total, result) => total + result.wallMs, 0);
  rows.push(['all', '', '', seconds(wallMs), '', '']);
  console.log();
  printTable(['suite', 'passed', 'failed', 'time', 'budget', 'processor'], rows);
}

/** The use of the processors; the remaining time was waiting. Two busy processors are 200 %. */
function processorShare({ busyMs, wallMs }) {
  return wallMs === 0 ? '' : `${Math.round((busyMs / wallMs) * 100)} %`;
}

/**
 * @param {import('./testLog.mjs').SuiteResult} result
 * @param {readonly import('./testLog.mjs').LogEntry[]} log
 */
export function printWhereTimeWent(result, log) {
  console.log(
    `\n${result.name} took ${seconds(result.wallMs)}. Its budget is ${seconds(result.budgetMs)}.`,
  );
  printKinds(log);
  printSlowest(log, SLOWEST);
}

/** The time in tests, in hooks, and in opening VS Code windows. */
export function printKinds(log) {
  const rows = [
    ['tests', 'test'],
    ['hooks', 'hook'],
    ['windows opened, in tests or hooks', 'window'],
  ].map(([label, kind]) => {
    const entries = log.filter((entry) => entry.kind === kind);
    const ms = entries.reduce((total, entry) => total + entry.ms, 0);
    return [label, String(entries.length), seconds(ms)];
  });
  printTable(['what', 'number', 'time'], rows);
}

export function printSlowest(log, count) {
  const entries = log.filter(({ kind }) => kind !== 'window');
  const slowest = entries.toSorted((a, b) => b.ms - a.ms).slice(0, count);
  const rows = slowest.map(({ ms, title, file = '' }) => [seconds(ms), file, title]);
  printTable(['time', 'file', 'test or hook'], rows);
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function printTable(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all) {
    const cells = row.map((cell, column) =>
      /^[\d.]+( s| %)?( over)?$/.test(cell)
        ? cell.padStart(widths[column])
        : cell.padEnd(widths[column]),
    );
    console.log(`  ${cells.join('  ').trimEnd()}`);
  }
}
