import { nodeFiles } from '../../../src/platform/node/files/files.ts';
import { nodeExec } from '../../../src/platform/node/processes/exec.ts';
import { nodeProcesses } from '../../../src/platform/node/processes/processes.ts';
import { SystemClock } from '../../../src/platform/node/systemClock.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import { detectBtrfs } from '../../../src/snapshots/btrfs/detectBtrfs.ts';

type Options = Partial<Parameters<typeof detectBtrfs>[0]>;

/** Opens a provider on a real Btrfs; rejects with the reason if it is not one. */
export async function openBtrfs(
  workspace: string,
  privateFolder: string,
  more: Options = {},
): Promise<SnapshotProvider> {
  const ports = { exec: nodeExec, files: nodeFiles, processes: nodeProcesses };
  const clock = new SystemClock();
  const detection = await detectBtrfs({ workspace, privateFolder, ...ports, clock, ...more });
  if ('refusal' in detection) throw new Error(detection.refusal);
  return detection.provider;
}
