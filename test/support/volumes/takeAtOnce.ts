// Takes snapshots while others do: `takeAtOnce.ts WORKSPACE PRIVATE_FOLDER PREFIX ROUNDS`. Prints each answer as a line of JSON.
import { writeFileSync } from 'node:fs';
import { nodeExec } from '../../../src/node/processes/exec.ts';
import { nodeProcesses } from '../../../src/node/processes/processes.ts';
import { nodeFiles } from '../../../src/node/files/files.ts';
import { SystemClock } from '../../../src/node/systemClock.ts';
import { detectBtrfs } from '../../../src/snapshots/providers/btrfs/detectBtrfs.ts';

/** What was answered, or why there was no answer. */
export interface Answer {
  readonly ref?: string;
  readonly failure?: string;
}

const [workspace, privateFolder, prefix, rounds] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
];
const ports = {
  exec: nodeExec,
  files: nodeFiles,
  processes: nodeProcesses,
  clock: new SystemClock(),
};
const { signal } = new AbortController();
for (let round = 0; round < Number(rounds); round++) {
  // Mostly nothing has changed, so that most of what is taken is compared and taken away again.
  if (round % 5 === 4) writeFileSync(`${workspace}/${prefix}`, `${round}`);
  const request = { name: `${prefix}-${round}`, label: '', signal };
  // As somebody who has just come, and knows what is in the store alone.
  const isProven = round > 0;
  const detection = await detectBtrfs({ workspace, privateFolder, isProven, ...ports });
  if ('refusal' in detection) throw new Error(detection.refusal);
  const answer: Answer = await detection.provider.take(request).then(
    ({ ref }) => ({ ref }),
    (error: unknown) => ({ failure: String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
