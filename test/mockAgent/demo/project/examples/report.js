// Sales per month; each month is loaded on its own, some more slowly than others.
import { runAll } from '../src/pool.js';

const months = ['January', 'February', 'March', 'April'];
const load = (month, turns) => async () => {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  return month;
};

const loaded = await runAll(
  [load('January', 1), load('February', 4), load('March', 2), load('April', 1)],
  2,
);
for (const [index, month] of months.entries()) {
  if (loaded[index] !== month) {
    console.error(`Error: the row for ${month} holds the numbers of ${loaded[index]}`);
    process.exit(1);
  }
  console.log(`${month.padEnd(10)} ${'▇'.repeat(6 + index * 3)}`);
}
