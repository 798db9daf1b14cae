// Run as another user: `contractMain.ts PROVIDER WORKSPACE PRIVATE_FOLDER SCRATCH`. Prints the
// refusal, or checks the contract; exits with 1 if that fails.
import { nodeExec } from '../../../src/platform/node/processes/exec.ts';
import { nodeProcesses } from '../../../src/platform/node/processes/processes.ts';
import { nodeFiles } from '../../../src/platform/node/files/files.ts';
import { SystemClock } from '../../../src/platform/node/systemClock.ts';
import { detectBtrfs } from '../../../src/snapshots/btrfs/detectBtrfs.ts';
import { detectZfs } from '../../../src/snapshots/zfs/detectZfs.ts';
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
