// Takes snapshots until it is killed: `takeForever.ts WORKSPACE PRIVATE_FOLDER PREFIX`. Prints each
// reference when it is complete.
import { writeFileSync } from 'node:fs';
import { openBtrfs } from './openBtrfs.ts';

const [workspace, privateFolder, prefix] = process.argv.slice(2) as [string, string, string];
const provider = await openBtrfs(workspace, privateFolder);
const { signal } = new AbortController();
for (let count = 0; ; count++) {
  // Every third state equals the previous one, so that its snapshot is discarded.
  if (count % 3 !== 2) writeFileSync(`${workspace}/file`, `${prefix} ${count}`);
  const { ref, isUnchanged } = await provider.take({
    name: `${prefix}-${count}`,
    label: '',
    signal,
  });
  if (!isUnchanged) process.stdout.write(`${ref}\n`);
  if (count % 5 === 4) await provider.remove([ref]);
}
