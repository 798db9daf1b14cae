import { isUnproven, NEVER_PROVEN, provenLine } from '../common/provenLine.ts';
import type { ProviderName, SnapshotProvider } from '../common/provider.ts';
import type { SnapshotFiles, SnapshotLine } from '../common/snapshotLine.ts';
import { FIRST_ID, preStartName, refNamed, snapshotName } from '../common/snapshotName.ts';
import { RecordingReader } from '../../recording/read/reader.ts';
import type { SnapshotRecord } from '../../recording/format/records.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { FileSource } from '../../platform/node/files/fileSource.ts';
import { readSnapshots, SnapshotsFile } from './snapshotsFile.ts';

/**
 * After a recorder was killed, makes its recording, its list of snapshots and the provider say the same again. The recording
 * counts: a moment that is in it gets its line, with the files that the provider kept for it, or with the reason why there are
 * none. Where the provider cannot be asked now, nothing is said, and the next one to come asks again.
 * @param keptWith has the files of other moments of the session
 * @returns whether all is said
 */
export async function reconcileSnapshots(
  session: CataloguedSession,
  openProvider: () => Promise<SnapshotProvider>,
  keptWith: ProviderName | undefined,
): Promise<boolean> {
  await sayUnproven(session.folder, await readSnapshots(session.folder));
  const unclear = await unclearMoments(session);
  if (unclear.length === 0) return true;
  const kept = await openProvider()
    .then(listed)
    .catch(() => undefined);
  if (!kept) return false;
  let isAllSaid = true;
  const file = await SnapshotsFile.open(session.folder);
  try {
    for (const line of unclear) {
      const files = await filesNamed(namesOf(session.meta.id, line), kept, keptWith);
      if (files) await file.append({ ...line, files });
      else isAllSaid = false;
    }
  } finally {
    await file.close();
  }
  return isAllSaid;
}

/** Those that a killed recorder did not get to say all of. */
export async function unclearMoments({ folder, meta }: CataloguedSession): Promise<SnapshotLine[]> {
  const lines = new Map((await readSnapshots(folder)).map((line) => [line.id, line]));
  const unclear = [...lines.values()].filter(({ files }) => files.state === 'pending');
  for (const record of await snapshotRecords(meta.recording)) {
    if (!lines.has(record.snapshotId)) unclear.push(lineOf(record));
  }
  return unclear;
}

interface Listed {
  readonly provider: SnapshotProvider;
  readonly refs: readonly string[];
}

/** By which a moment's files may have been kept. Those of the start may be what was kept ahead of it. */
function namesOf(sessionId: string, { id }: SnapshotLine): string[] {
  const name = snapshotName(sessionId, id);
  return id === FIRST_ID ? [name, preStartName(sessionId)] : [name];
}

/** Nothing, where that cannot be told now. */
async function filesNamed(
  names: readonly string[],
  { provider, refs }: Listed,
  keptWith: ProviderName | undefined,
): Promise<SnapshotFiles | undefined> {
  const ref = names.map((name) => refNamed(refs, name)).find((each) => each !== undefined);
  if (ref !== undefined) return filesOf(provider, ref).catch(() => undefined);
  // Another one stands in while that is out of reach, and knows nothing of it.
  if (keptWith !== undefined && keptWith !== provider.name) return undefined;
  return { state: 'failed', reason: 'The recorder was killed while it was taken.' };
}

async function listed(provider: SnapshotProvider): Promise<Listed> {
  return { provider, refs: await provider.list() };
}

/** What the watcher told died with the recorder: nobody can prove any more that it told all. */
async function sayUnproven(folder: string, lines: readonly SnapshotLine[]): Promise<void> {
  const unproven = lines.filter(isUnproven);
  if (unproven.length === 0) return;
  const file = await SnapshotsFile.open(folder);
  try {
    await file.append(...unproven.map((line) => provenLine(line, [NEVER_PROVEN])));
  } finally {
    await file.close();
  }
}

/** As the provider knows it, which is with what it left out. Whether it looked everywhere is not known, but for copies of all there is. */
async function filesOf(provider: SnapshotProvider, ref: string): Promise<SnapshotFiles> {
  const leftOut = await (await provider.open(ref)).omissions();
  const omissions = provider.wholeStates ? leftOut : [...leftOut, NEVER_PROVEN];
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
