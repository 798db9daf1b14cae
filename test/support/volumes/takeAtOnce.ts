// Takes snapshots while others do: `takeAtOnce.ts WORKSPACE PRIVATE_FOLDER PREFIX ROUNDS`. Prints
// each answer as a line of JSON.
import { writeFileSync } from 'node:fs';
import { openBtrfs } from './openBtrfs.ts';

/** The answer, or why there was none. */
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
const { signal } = new AbortController();
for (let round = 0; round < Number(rounds); round++) {
  // Usually nothing has changed, so that most snapshots are compared and discarded.
  if (round % 5 === 4) writeFileSync(`${workspace}/${prefix}`, `${round}`);
  const request = { name: `${prefix}-${round}`, label: '', signal };
  // Opens a new provider in each round, which knows only the store, as a new process would.
  const hasSnapshots = round > 0;
  const provider = await openBtrfs(workspace, privateFolder, { hasSnapshots });
  const answer: Answer = await provider.take(request).then(
    ({ ref }) => ({ ref }),
    (error: unknown) => ({ failure: String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
