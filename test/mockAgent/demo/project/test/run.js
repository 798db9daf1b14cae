// Runs every test in many rounds. Each round gives the tasks new random durations.
import { tests } from './pool.test.js';

const rounds = Number(process.argv[2] ?? 1);
const paint = (code, text) => (process.env.COLOR ? `\x1b[${code}m${text}\x1b[0m` : text);
let failed = 0;

/** A task that now and then takes a turn of the event loop before it returns its number. */
function slowTasks(round) {
  let state = round * 2654435761;
  return (number) => async () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    if ((state >> 16) % 11 === 0) await new Promise(setImmediate);
    return number;
  };
}

for (const [name, test] of Object.entries(tests)) {
  const failures = [];
  for (let round = 1; round <= rounds; round++) {
    await test(slowTasks(round)).catch((error) => failures.push({ round, error }));
  }
  const count = `${rounds - failures.length}/${rounds}`;
  if (failures.length === 0) {
    console.log(`${paint(32, '✓')} ${name.padEnd(32)} ${paint(2, count)}`);
    continue;
  }
  failed++;
  const { round, error } = failures[0];
  console.log(`${paint(31, '✗')} ${name.padEnd(32)} ${paint(31, count)}`);
  console.log(`    round ${round}: expected ${paint(32, error.expected)}`);
  console.log(`    ${' '.repeat(`round ${round}: `.length)}but got  ${paint(31, error.actual)}`);
}

const total = Object.keys(tests).length;
console.log(
  failed ? paint(31, `${failed} of ${total} tests failed`) : paint(32, `${total} tests passed`),
);
process.exitCode = failed ? 1 : 0;
