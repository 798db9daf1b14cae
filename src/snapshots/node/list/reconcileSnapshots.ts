import { UserError } from '../../../base/errors.ts';
import { isUnverified, NEVER_VERIFIED, verifiedLine } from '../../common/verifiedLine.ts';
import type { ProviderName, SnapshotProvider } from '../../common/provider.ts';
import type { SnapshotFiles, SnapshotLine } from '../../common/snapshotLine.ts';
import { FIRST_ID, preStartName, refNamed, snapshotName } from '../../common/snapshotName.ts';
import { RecordingReader } from '../../../recording/read/reader.ts';
import type { SnapshotRecord } from '../../../recording/format/records.ts';
import { brotliDecompressor } from '../../../platform/node/files/brotli.ts';
import type { CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { FileSource } from '../../../platform/node/files/fileSource.ts';
import { readSnapshots, SnapshotsFile } from './snapshotsFile.ts';

/**
 * After a recorder was killed, makes the recording, the list of snapshots and the provider agree
 * again. The recording is decisive: each of its moments gets a line, with the files that the
 * provider stored for it or the reason why there are none. If the provider is not available now,
 * nothing is written, and the next call tries again.
 * @param keptWith the provider of the session's other snapshots
 * @returns whether every moment has its line
 */
export async function reconcileSnapshots(
  session: CataloguedSession,
  openProvider: () => Promise<SnapshotProvider>,
  keptWith: ProviderName | undefined,
): Promise<boolean> {
  await markUnverified(session.folder, await readSnapshots(session.folder));
  const unclear = await unclearMoments(session);
  const said = await readSnapshots(session.folder);
  if (unclear.length === 0 && !said.some(({ files }) => files.state === 'kept')) return true;
  const kept = await openProvider()
    .then(listed)
    .catch(() => undefined); // Tried again by the next call.
  if (!kept) return unclear.length === 0;
  let isAllSaid = true;
  const file = await SnapshotsFile.open(session.folder);
  try {
    for (const line of said) {
      const files = await lostFiles(line.files, kept);
      if (files) await file.append({ ...line, files });
    }
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

/** Finds the moments that a killed recorder did not finish writing. */
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

/**
 * The names under which a moment's files may be stored; the start may use the pre-start snapshot.
 */
function namesOf(sessionId: string, { id }: SnapshotLine): string[] {
  const name = snapshotName(sessionId, id);
  return id === FIRST_ID ? [name, preStartName(sessionId)] : [name];
}

/** Finds the stored files of a moment. Returns undefined if this can't be determined now. */
async function filesNamed(
  names: readonly string[],
  { provider, refs }: Listed,
  keptWith: ProviderName | undefined,
): Promise<SnapshotFiles | undefined> {
  const ref = names.map((name) => refNamed(refs, name)).find((each) => each !== undefined);
  if (ref !== undefined) return provenFiles(provider, ref);
  // The provider of the session's other snapshots is not available, and this one does not know its
  // files.
  if (keptWith !== undefined && keptWith !== provider.name) return undefined;
  return { state: 'failed', reason: 'The recorder was killed while it took the snapshot.' };
}

/** Returns undefined if the snapshot can't be read now: the next call tries again. */
async function provenFiles(
  provider: SnapshotProvider,
  ref: string,
): Promise<SnapshotFiles | undefined> {
  try {
    await provider.prove(ref);
    return await filesOf(provider, ref);
  } catch (error) {
    return asLost(error);
  }
}

/** Returns the reason if a power cut destroyed a stored snapshot, which older versions allow. */
async function lostFiles(
  files: SnapshotFiles,
  { provider, refs }: Listed,
): Promise<SnapshotFiles | undefined> {
  if (files.state !== 'kept' || files.provider !== provider.name) return undefined;
  if (refs.includes(files.ref)) return undefined;
  return provider.prove(files.ref).then(() => undefined, asLost);
}

function asLost(error: unknown): SnapshotFiles | undefined {
  const isLost = error instanceof UserError && error.code === 'snapshot-lost';
  return isLost ? { state: 'failed', reason: error.message } : undefined;
}

async function listed(provider: SnapshotProvider): Promise<Listed> {
  return { provider, refs: await provider.list() };
}

/**
 * Marks snapshots as never verified: the changes that the watcher reported were lost with the
 * recorder, so they can't be verified any more.
 */
async function markUnverified(folder: string, lines: readonly SnapshotLine[]): Promise<void> {
  const unverified = lines.filter(isUnverified);
  if (unverified.length === 0) return;
  const file = await SnapshotsFile.open(folder);
  try {
    await file.append(...unverified.map((line) => verifiedLine(line, [NEVER_VERIFIED])));
  } finally {
    await file.close();
  }
}

/**
 * Reads what the provider stored about a snapshot. Only snapshots of whole volumes are complete;
 * others are marked as never verified.
 */
async function filesOf(provider: SnapshotProvider, ref: string): Promise<SnapshotFiles> {
  const leftOut = await (await provider.open(ref)).omissions();
  const omissions = provider.volumeSnapshots ? leftOut : [...leftOut, NEVER_VERIFIED];
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
