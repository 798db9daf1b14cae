import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSessionId } from '../../../../src/sessions/node/recorderLauncher.ts';
import { writeSessionMeta } from '../../../../src/sessions/node/sessionMeta.ts';
import { changeSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import type { AhSandbox } from '../../../support/ah.ts';
import { readPtyFixture, type PTY_FIXTURES } from '../../../support/terminal/ptyFixture.ts';
import { write } from '../../../support/recording/recordings.ts';
import { writeSnapshotLines } from '../../../support/git/writeSnapshotLines.ts';

export interface PlacedSession {
  readonly id: string;
  readonly name: string;
  readonly recording: string;
  readonly totalBytes: number;
  readonly startedAtNs: bigint;
}

const STARTED_NS = 1_760_000_000_000_000_000n;

/** Adds a finished session of a real agent to the sandbox. */
export async function placeAgentSession(
  sandbox: AhSandbox,
  workspace: string,
  fixture: (typeof PTY_FIXTURES)[number],
): Promise<PlacedSession> {
  const { size, records } = readPtyFixture(fixture);
  const resize: AhrRecord = { kind: 'resize', tsNs: 0n, ...size };
  return placeSession(sandbox, workspace, {
    name: `${fixture} fixture`,
    size,
    records: [resize, ...records],
  });
}

/** Adds a session with these records; times are relative to its start. */
export async function placeSession(
  sandbox: AhSandbox,
  workspace: string,
  session: {
    readonly name: string;
    readonly size: { cols: number; rows: number };
    readonly records: readonly AhrRecord[];
  },
): Promise<PlacedSession> {
  const { name, size } = session;
  const records = session.records.map((each) => ({ ...each, tsNs: each.tsNs + STARTED_NS }));
  const id = newSessionId();
  const folder = path.join(sandbox.folder, 'sessions', id);
  mkdirSync(folder, { recursive: true });
  const recording = path.join(folder, 'session.ahr');
  writeFileSync(recording, (await write(records, 50)).bytes);
  writeSnapshotLines(folder, records);
  const lengths = records.map((record) => (record.kind === 'data' ? record.bytes.length : 0));
  const totalBytes = lengths.reduce((sum, length) => sum + length, 0);
  await writeSessionMeta(folder, {
    version: 1,
    id,
    state: 'finished',
    cmd: [name],
    cwd: workspace,
    ...size,
    unicodeVersion: '11',
    brotliQ: 4,
    startedAtNs: records[0]!.tsNs,
    endedAtNs: records.at(-1)!.tsNs,
    exitCode: 0,
    totalBytes,
    host: { os: 'linux', arch: 'x64', pid: 1 },
    recording,
    hostSocket: '',
    ipcSocket: '',
  });
  await changeSessionNotes(folder, { name, workspace });
  await sandbox.catalogue.add(id, folder);
  return { id, name, recording, totalBytes, startedAtNs: STARTED_NS };
}
