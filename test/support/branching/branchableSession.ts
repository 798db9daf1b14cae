import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseFields } from '../../../src/agents/common/untrusted.ts';
import { newSessionId } from '../../../src/sessions/node/recorderLauncher.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { writeSessionMeta } from '../../../src/sessions/node/sessionMeta.ts';
import { openSnapshotProvider } from '../../../src/snapshots/node/open/openProviders.ts';
import { SnapshotsFile } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import type { ProviderName } from '../../../src/snapshots/common/provider.ts';
import { snapshotName } from '../../../src/snapshots/common/snapshotName.ts';
import type { AhSandbox } from '../ah.ts';
import { output, write } from '../recording/recordings.ts';

const { signal } = new AbortController();
const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/agents');
const BYTES_PER_STEP = 100;
const SECOND_NS = 1_000_000_000n;
const STARTED_NS = 1_790_000_000_000_000_000n;

export interface BranchableOptions {
  readonly cmd?: readonly string[];
  /** Each step changes the workspace; a snapshot is taken after it. */
  readonly steps: readonly (() => void | Promise<void>)[];
  /** Output starts after the last step: all snapshots are at the first byte, a second apart. */
  readonly isSilent?: boolean;
  /** The agent has the memory of one in `test/fixtures/agents` after its second tool. */
  readonly agent?: string;
  /** The provider, if it is not the default one. */
  readonly provider?: ProviderName;
}

/**
 * Writes a finished session with a snapshot after each step, which is faster than recording one.
 * Snapshot n is at byte n × 100.
 */
export async function placeBranchable(
  sandbox: AhSandbox,
  workspace: string,
  {
    cmd = ['/bin/sh', '-c', 'pwd'],
    steps,
    agent,
    provider: name,
    isSilent = false,
  }: BranchableOptions,
): Promise<SessionFiles> {
  process.env['AH_DATA_DIR'] = sandbox.folder;
  const id = newSessionId();
  const folder = path.join(sandbox.folder, 'sessions', id);
  mkdirSync(folder, { recursive: true });
  const startedNs = agent === undefined ? STARTED_NS : placeMemory(folder, agent);
  const recording = path.join(folder, 'session.ahr');
  const records = output((steps.length + 1) * BYTES_PER_STEP, BYTES_PER_STEP / 2).map((record) => ({
    ...record,
    tsNs: startedNs + record.tsNs + (isSilent ? 60n * SECOND_NS : 0n),
  }));
  writeFileSync(recording, (await write(records, 3)).bytes);
  const lines = await SnapshotsFile.open(folder);
  const provider = await openSnapshotProvider(workspace, { keptWith: name });
  for (const [index, step] of steps.entries()) {
    await step();
    const number = BigInt(index + 1);
    const label = `step ${number}`;
    const { ref, stats, omissions } = await provider.take({
      name: snapshotName(id, number),
      label,
      signal,
    });
    const anchorByte = isSilent ? 0 : Number(number) * BYTES_PER_STEP;
    const afterNs = isSilent ? number * SECOND_NS : SECOND_NS + BigInt(anchorByte);
    await lines.append({
      id: number,
      tsNs: startedNs + afterNs,
      label,
      kind: 'auto',
      anchorByte,
      trigger: 'tool',
      files: { state: 'kept', provider: provider.name, ref, stats, omissions },
    });
  }
  await lines.close();
  provider.dispose();
  await writeSessionMeta(folder, {
    version: 1,
    id,
    state: 'finished',
    cmd,
    cwd: workspace,
    workspace,
    cols: 80,
    rows: 24,
    unicodeVersion: '11',
    brotliQ: 4,
    startedAtNs: startedNs,
    endedAtNs: startedNs + 9_000_000_000n,
    exitCode: 0,
    host: { os: 'linux', arch: 'x64', pid: 1 },
    recording,
    hostSocket: '',
    ipcSocket: '',
  });
  await sandbox.catalogue.add(id, folder);
  return SessionFiles.open(await sandbox.catalogue.get(id));
}

/** @returns the start time with which the first snapshot follows the agent's second tool */
function placeMemory(folder: string, agent: string): bigint {
  const kept = path.join(folder, 'agent/transcripts');
  mkdirSync(kept, { recursive: true });
  const fixture = (kind: string) => path.join(FIXTURES, agent, `branching.${kind}.jsonl`);
  cpSync(fixture('transcript'), path.join(kept, '1.jsonl'));
  cpSync(fixture('events'), path.join(folder, 'session.events.jsonl'));
  writeFileSync(path.join(kept, 'index.jsonl'), '{"file":"1.jsonl","source":"/gone/x.jsonl"}\n');
  writeFileSync(path.join(folder, 'session.notes.json'), JSON.stringify({ agent }));
  const second = parseFields(readFileSync(fixture('moments'), 'utf8').split('\n')[1]!)!;
  return (second['ts_ns'] as bigint) - SECOND_NS;
}
