// Takes snapshots while others do: `takeAtOnce.ts WORKSPACE PRIVATE_FOLDER PREFIX ROUNDS`. Prints each answer as a line of JSON.
import { writeFileSync } from 'node:fs';
import { openBtrfs } from './openBtrfs.ts';

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
const { signal } = new AbortController();
for (let round = 0; round < Number(rounds); round++) {
  // Mostly nothing has changed, so that most of what is taken is compared and taken away again.
  if (round % 5 === 4) writeFileSync(`${workspace}/${prefix}`, `${round}`);
  const request = { name: `${prefix}-${round}`, label: '', signal };
  // As somebody who has just come, and knows what is in the store alone.
  const isProven = round > 0;
  const provider = await openBtrfs(workspace, privateFolder, { isProven });
  const answer: Answer = await provider.take(request).then(
    ({ ref }) => ({ ref }),
    (error: unknown) => ({ failure: String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
