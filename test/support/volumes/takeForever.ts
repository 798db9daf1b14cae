// Takes snapshots until it is killed: `takeForever.ts WORKSPACE PRIVATE_FOLDER PREFIX`. Prints each reference once it has it.
import { writeFileSync } from 'node:fs';
import { nodeExec } from '../../../src/node/processes/exec.ts';
import { nodeProcesses } from '../../../src/node/processes/processes.ts';
import { nodeFiles } from '../../../src/node/files/files.ts';
import { SystemClock } from '../../../src/node/systemClock.ts';
import { detectBtrfs } from '../../../src/snapshots/providers/btrfs/detectBtrfs.ts';

const [workspace, privateFolder, prefix] = process.argv.slice(2) as [string, string, string];
const ports = {
  exec: nodeExec,
  files: nodeFiles,
  processes: nodeProcesses,
  clock: new SystemClock(),
};
const detection = await detectBtrfs({ workspace, privateFolder, ...ports });
if ('refusal' in detection) throw new Error(detection.refusal);
const { signal } = new AbortController();
for (let count = 0; ; count++) {
  // Every third state is the one before, whose snapshot is taken away again.
  if (count % 3 !== 2) writeFileSync(`${workspace}/file`, `${prefix} ${count}`);
  const { ref, isUnchanged } = await detection.provider.take({
    name: `${prefix}-${count}`,
    label: '',
    signal,
  });
  if (!isUnchanged) process.stdout.write(`${ref}\n`);
  if (count % 5 === 4) await detection.provider.remove([ref]);
}
