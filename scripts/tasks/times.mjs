// Prints where the time of the last test run went.
import { printKinds, printSlowest, printSuites } from '../testing/printTimes.mjs';
import { readLog, readSummary } from '../testing/testLog.mjs';

const SLOWEST = 40;

const results = readSummary();
if (results.length === 0) {
  console.error('No test results found. Run `npm test` first.');
  process.exit(1);
}
printSuites(results);
const log = results.flatMap(({ name }) => readLog(name));
console.log();
printKinds(log);
console.log();
printSlowest(log, SLOWEST);
