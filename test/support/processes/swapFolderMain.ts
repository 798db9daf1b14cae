// Replaces a folder by a link to another folder and back, as fast as it can, until it is told to
// pause: each line of the input switches between both, and is answered by a line.
import { once } from 'node:events';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const [folder = '', outside = ''] = process.argv.slice(2);
const aside = `${folder}.aside`;
/** The longest time for which the link is in place: some operations take as long. */
const MAX_LINKED_MS = 0.5;
/** The longest time for which the folder is in place; enough to complete the task under test. */
const MAX_IN_PLACE_MS = 12;
let isPaused = true;

process.stdin.on('data', () => {
  isPaused = !isPaused;
  process.stdout.write('done\n');
});
process.stdin.on('end', () => process.exit());

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false; // The program under test creates and removes the same paths.
  }
}

function wait(milliseconds: number): void {
  const endMs = performance.now() + milliseconds;
  while (performance.now() < endMs);
}

function swap(): void {
  if (!attempt(() => renameSync(folder, aside))) return;
  const isLinked = attempt(() => symlinkSync(outside, folder));
  wait(Math.random() * MAX_LINKED_MS);
  if (isLinked) attempt(() => unlinkSync(folder));
  for (let attempts = 0; attempts < 100 && !attempt(() => renameSync(aside, folder)); attempts++);
}

process.stdout.write('done\n');
for (;;) {
  if (isPaused) await once(process.stdin, 'data');
  else {
    swap();
    wait(Math.random() ** 4 * MAX_IN_PLACE_MS);
  }
  await setImmediate();
}
