// Run as another user: `contractMain.ts PROVIDER WORKSPACE PRIVATE_FOLDER SCRATCH`. Prints the refusal, or checks the contract.
// Exits with 1 when that fails.
import { nodeExec } from '../../../src/node/processes/exec.ts';
import { nodeProcesses } from '../../../src/node/processes/processes.ts';
import { nodeFiles } from '../../../src/node/files/files.ts';
import { SystemClock } from '../../../src/node/systemClock.ts';
import { detectBtrfs } from '../../../src/snapshots/providers/btrfs/detectBtrfs.ts';
import { detectZfs } from '../../../src/snapshots/providers/zfs/detectZfs.ts';
import { checkContract } from './providerContract.ts';

const [provider, workspace, privateFolder, scratch] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
];
const detect = provider === 'zfs' ? detectZfs : detectBtrfs;
const ports = {
  exec: nodeExec,
  files: nodeFiles,
  processes: nodeProcesses,
  clock: new SystemClock(),
};
const detection = await detect({ workspace, privateFolder, ...ports });
if ('refusal' in detection) {
  console.log(`refused: ${detection.refusal}`);
} else {
  await checkContract(detection.provider, scratch);
  console.log('the contract holds');
}
