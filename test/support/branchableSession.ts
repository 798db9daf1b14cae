import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSessionId } from '../../src/node/recorderLauncher.ts';
import { SessionFiles } from '../../src/node/sessionFiles.ts';
import { writeSessionMeta } from '../../src/node/sessionMeta.ts';
import { openSnapshotProvider } from '../../src/node/snapshotProviders.ts';
import { SnapshotsFile } from '../../src/node/snapshotsFile.ts';
import { snapshotName } from '../../src/snapshots/snapshotName.ts';
import type { AhSandbox } from './ah.ts';
import { output, write } from './recordings.ts';

const { signal } = new AbortController();
const BYTES_PER_STEP = 100;
const STARTED_NS = 1_790_000_000_000_000_000n;

export interface BranchableOptions {
  readonly cmd?: readonly string[];
  /** Each changes the workspace; a snapshot is taken after it. */
  readonly steps: readonly (() => void | Promise<void>)[];
}

/**
 * A finished session with a snapshot after each step, without the time that recording one takes. The snapshot n is at the
 * byte n × 100.
 */
export async function placeBranchable(
  sandbox: AhSandbox,
  workspace: string,
  { cmd = ['/bin/sh', '-c', 'pwd'], steps }: BranchableOptions,
): Promise<SessionFiles> {
  process.env['AH_DATA_DIR'] = sandbox.folder;
  const id = newSessionId();
  const folder = path.join(sandbox.folder, 'sessions', id);
  mkdirSync(folder, { recursive: true });
  const recording = path.join(folder, 'session.ahr');
  const records = output((steps.length + 1) * BYTES_PER_STEP, BYTES_PER_STEP / 2).map((record) => ({
    ...record,
    tsNs: STARTED_NS + record.tsNs,
  }));
  writeFileSync(recording, (await write(records, 3)).bytes);
  const lines = await SnapshotsFile.open(folder);
  const provider = await openSnapshotProvider(workspace);
  for (const [index, step] of steps.entries()) {
    await step();
    const number = BigInt(index + 1);
    const label = `step ${number}`;
    const { ref, stats, omissions } = await provider.take({
      ...{ name: snapshotName(id, number), label, signal },
    });
    const anchorByte = Number(number) * BYTES_PER_STEP;
    await lines.append({
      ...{ id: number, tsNs: STARTED_NS + 1_000_000_000n + BigInt(anchorByte), label },
      ...{ kind: 'auto', anchorByte, trigger: 'tool' },
      files: { state: 'kept', provider: provider.name, ref, stats, omissions },
    });
  }
  await lines.close();
  provider.dispose();
  await writeSessionMeta(folder, {
    ...{ version: 1, id, state: 'finished', cmd, cwd: workspace, workspace, cols: 80, rows: 24 },
    ...{ brotliQ: 4, startedAtNs: STARTED_NS, endedAtNs: STARTED_NS + 9_000_000_000n, exitCode: 0 },
    ...{ host: { os: 'linux', arch: 'x64', pid: 1 }, recording, hostSocket: '', ipcSocket: '' },
  });
  await sandbox.catalogue.add(id, folder);
  return SessionFiles.open(await sandbox.catalogue.get(id));
}
