import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { nodeProcesses } from '../../platform/node/processes/processes.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import { workspacePlace } from '../../snapshots/node/open/workspacePlace.ts';
import { undoScrub } from './journal/applyScrub.ts';
import { planFill } from './journal/fillFile.ts';
import { writeJournal, type ScrubChange, type ScrubJournal } from './journal/scrubJournal.ts';
import { copiedAgentFiles, ownFiles } from './ownFiles.ts';
import { draftWithoutText } from './scrubFile.ts';
import { draftRecording } from './scrubRecording.ts';
import { planSnapshotScrub } from './scrubSnapshots.ts';
import type { SnapshotScrub } from './scrubVolume.ts';
import type { ScrubText } from './textForms.ts';

/** Caches, which the next reader rebuilds from the recording. */
const CACHES = ['session.keyframes'];
/** Names of temporary recordings, which remain if the process that writes them is killed. */
const LEFTOVER = /^\.[0-9a-f]{8}\.(?:repack|scrub)$/;

export interface PreparedScrub {
  readonly journal: ScrubJournal;
  /** The number of matches in the recording. */
  readonly recording: number;
  /** The number of other files that have the text. */
  readonly files: number;
  readonly rewrittenSnapshots: number;
  readonly removedSnapshots: number;
  /** What the snapshots are searched for again after the scrub. */
  readonly searched: SnapshotScrub;
}

export interface PrepareOptions {
  readonly catalogue: Catalogue;
  readonly scrubText: ScrubText;
  onStep(step: 'recording' | 'files' | 'snapshots'): void;
}

/**
 * Writes new versions without the text beside the existing files, and a journal of the replacements
 * to make. Changes nothing else. If it fails or is aborted, it deletes what it wrote.
 */
export async function prepareScrub(
  session: CataloguedSession,
  options: PrepareOptions,
): Promise<PreparedScrub> {
  const { folder, meta } = session;
  const { catalogue } = options;
  const own = await ownFiles(session);
  const workspace = meta.workspace && (await workspacePlace(meta.workspace));
  const draft: ScrubJournal = {
    version: 1,
    sessionId: meta.id,
    owner: nodeProcesses.own,
    isPrepared: false,
    workspace,
    files: [meta.recording, ...own],
    changes: [],
    problems: [],
  };
  await writeJournal(catalogue, draft);
  try {
    const deleted: ScrubChange[] = [
      ...CACHES.map((name) => path.join(folder, name)),
      ...(await leftovers(meta.recording)),
    ].map((file) => ({ kind: 'delete', file }));
    const changed = await prepareFiles(session, own, options);
    options.onStep('snapshots');
    const places = changed.recording + changed.files > 0 ? [folder, meta.recording] : [];
    const scrubbedPlaces = await Promise.all(places.map((place) => realpath(place)));
    const searched = { ...options.scrubText, scrubbedPlaces };
    const snapshots = workspace
      ? await planSnapshotScrub(workspace, searched, catalogue)
      : { changes: [], rewrittenSnapshots: 0, removedSnapshots: 0, problems: [] };
    options.scrubText.signal.throwIfAborted();
    const changes = [...deleted, ...changed.changes, ...snapshots.changes];
    const problems = [...changed.problems, ...snapshots.problems];
    const journal = { ...draft, isPrepared: true, changes, problems };
    return { ...changed, ...snapshots, journal, searched };
  } catch (error) {
    await undoScrub(draft, catalogue);
    throw error;
  }
}

async function prepareFiles(
  { meta }: CataloguedSession,
  own: readonly string[],
  { scrubText: { text, forms, signal }, ...options }: PrepareOptions,
) {
  const changes: ScrubChange[] = [];
  options.onStep('recording');
  const { recording: file, brotliQ: quality } = meta;
  const recording = await draftRecording(file, text, { quality, signal });
  if (recording.hasDraft) changes.push({ kind: 'replace', file });
  options.onStep('files');
  for (const file of own) {
    signal.throwIfAborted();
    if (await draftWithoutText(file, forms)) changes.push({ kind: 'replace', file });
  }
  for (const file of await copiedAgentFiles()) {
    const fill = await planFill(file, forms);
    if (fill) changes.push(fill);
  }
  const files = changes.length - (recording.hasDraft ? 1 : 0);
  const problems = unreadText(recording.unreadBlocks);
  return { changes, recording: recording.matches, files, problems };
}

function unreadText(count: number): string[] {
  if (count === 0) return [];
  const blocks = count === 1 ? '1 block' : `${count} blocks`;
  return [`${blocks} of the recording can't be read, because the file is damaged.`];
}

/** A killed process leaves them behind, with the text. */
async function leftovers(recording: string): Promise<string[]> {
  const folder = path.dirname(recording);
  const start = `.${path.basename(recording)}`;
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(start) && LEFTOVER.test(name.slice(start.length)),
  );
  return names.map((name) => path.join(folder, name));
}
