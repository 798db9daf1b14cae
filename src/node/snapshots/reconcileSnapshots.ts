import type { SnapshotProvider } from '../../snapshots/provider.ts';
import type { SnapshotFiles, SnapshotLine } from '../../snapshots/snapshotLine.ts';
import { refNamed, snapshotName } from '../../snapshots/snapshotName.ts';
import { RecordingReader } from '../../recording/reader.ts';
import type { SnapshotRecord } from '../../recording/records.ts';
import { brotliDecompressor } from '../recordings/brotli.ts';
import type { CataloguedSession } from '../sessions/catalogue.ts';
import { FileSource } from '../files/fileSource.ts';
import { readSnapshots, SnapshotsFile } from './snapshotsFile.ts';

/**
 * After a recorder was killed, makes its recording, its list of snapshots and the provider say the same again. The recording
 * counts: a moment that is in it gets its line, with the files that the provider kept under its name, or with the reason why
 * there are none.
 */
export async function reconcileSnapshots(
  { folder, meta }: CataloguedSession,
  openProvider: () => Promise<SnapshotProvider>,
): Promise<void> {
  const lines = new Map((await readSnapshots(folder)).map((line) => [line.id, line]));
  const unclear: SnapshotLine[] = [...lines.values()].filter(
    ({ files }) => files.state === 'pending',
  );
  for (const record of await snapshotRecords(meta.recording)) {
    if (!lines.has(record.snapshotId)) unclear.push(lineOf(record));
  }
  if (unclear.length === 0) return;
  const kept = await openProvider()
    .then(listed)
    .catch(() => undefined);
  const file = await SnapshotsFile.open(folder);
  try {
    for (const line of unclear) {
      const ref = refNamed(kept?.refs ?? [], snapshotName(meta.id, line.id));
      const files: SnapshotFiles =
        kept && ref !== undefined
          ? await filesOf(kept.provider, ref)
          : { state: 'failed', reason: 'The recorder was killed while it was taken.' };
      await file.append({ ...line, files });
    }
  } finally {
    await file.close();
  }
}

async function listed(provider: SnapshotProvider) {
  return { provider, refs: await provider.list() };
}

/** As the provider knows it, which is with what it left out. */
async function filesOf(provider: SnapshotProvider, ref: string): Promise<SnapshotFiles> {
  const omissions = await (await provider.open(ref)).omissions();
  return { state: 'kept', provider: provider.name, ref, stats: {}, omissions, isLate: true };
}

function lineOf({ snapshotId, tsNs, label, anchorByte }: SnapshotRecord): SnapshotLine {
  const moment = { id: snapshotId, tsNs, label, anchorByte };
  return { ...moment, kind: 'auto', trigger: 'tool', files: { state: 'pending' } };
}

async function snapshotRecords(recording: string): Promise<SnapshotRecord[]> {
  const source = await FileSource.open(recording);
  try {
    const reader = await RecordingReader.open(source, brotliDecompressor);
    const found: SnapshotRecord[] = [];
    for await (const record of reader.records()) if (record.kind === 'snapshot') found.push(record);
    return found;
  } finally {
    await source.close();
  }
}
