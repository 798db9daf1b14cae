import { readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import { isAlive } from '../../sessions/node/liveness.ts';
import { isSamePlace } from '../../snapshots/node/open/workspacePlace.ts';
import { isInRecording } from './hiddenText.ts';
import { agentFilesOf, remainingPlaces, type RemainingPlaces } from './remainingPlaces.ts';
import { copiedAgentFiles, ownFiles } from './ownFiles.ts';
import { isLeftIn, scrubFile, scrubInPlace } from './scrubFile.ts';
import { scrubRecording } from './scrubRecording.ts';
import { scrubSnapshotsOf } from './scrubSnapshots.ts';
import { textForms, type ScrubText } from './textForms.ts';

/** Shorter texts match everywhere, so a scrub would destroy the recording. */
export const MIN_SCRUBBED_CHARACTERS = 4;
const MAX_SCRUBBED_CHARACTERS = 64 * 1024;
/** Caches, which the next reader rebuilds from the recording. */
const CACHES = ['session.keyframes'];
/** Names of temporary recordings, which remain if the process that writes them is killed. */
const LEFTOVER = /^\.[0-9a-f]{8}\.(?:repack|scrub)$/;

export type ScrubStep = 'recording' | 'files' | 'snapshots' | 'check';

export interface ScrubResult {
  /** The number of matches in the recording. */
  readonly recording: number;
  /** The number of other files that had the text. */
  readonly files: number;
  /** Number of snapshots that were rewritten without the text. */
  readonly rewrittenSnapshots: number;
  /** Number of snapshots that were deleted because they can't be rewritten. */
  readonly removedSnapshots: number;
  /** Places that still have the text. The files of workspaces and branches are not searched. */
  readonly left: RemainingPlaces;
}

export interface ScrubOptions {
  readonly catalogue: Catalogue;
  readonly signal: AbortSignal;
  /** Deletes the search index, which is rebuilt later. */
  forgetSearch(): void;
  onStep?(step: ScrubStep): void;
}

/**
 * Removes a text for good from everything stored of a session: its recording, events, transcripts
 * and caches, the memory in its branches, and all snapshots of its workspace. The files of the
 * workspace itself stay unchanged.
 */
export async function scrubSession(
  session: CataloguedSession,
  text: string,
  options: ScrubOptions,
): Promise<ScrubResult> {
  checkText(text);
  await checkAtRest(session, options.catalogue);
  const forms = textForms(text);
  const { folder, meta } = session;
  const scrubText: ScrubText = { text, forms, signal: options.signal };
  const agentFiles = await agentFilesOf(session);
  options.onStep?.('recording');
  const recording = await scrubRecording(meta.recording, text, {
    quality: meta.brotliQ,
    signal: options.signal,
  });
  options.onStep?.('files');
  for (const name of CACHES) await rm(path.join(folder, name), { force: true });
  await removeLeftovers(meta.recording);
  let files = 0;
  for (const file of await ownFiles(session)) {
    options.signal.throwIfAborted();
    if (await scrubFile(file, forms)) files++;
  }
  for (const file of await copiedAgentFiles()) if (await scrubInPlace(file, forms)) files++;
  options.forgetSearch();
  options.onStep?.('snapshots');
  const places = recording + files > 0 ? [folder, meta.recording] : [];
  const scrubbedPlaces = await Promise.all(places.map((place) => realpath(place)));
  const { problems, ...snapshots } = await scrubSnapshotsOf(
    session,
    { ...scrubText, scrubbedPlaces },
    options.catalogue,
  );
  options.onStep?.('check');
  await checkGone(session, text, forms);
  const copied = new Set(await copiedAgentFiles());
  const others = agentFiles.filter((file) => !copied.has(file));
  const left = await remainingPlaces(session, await options.catalogue.list(), others, scrubText);
  // Adding the session again makes every window read it again.
  await options.catalogue.add(meta.id, folder);
  if (problems.length > 0) {
    const message = `The text was removed, except from these places: ${problems.join(' ')}`;
    throw new UserError('scrub-incomplete', message);
  }
  return { recording, files, ...snapshots, left };
}

async function removeLeftovers(recording: string): Promise<void> {
  const folder = path.dirname(recording);
  const start = `.${path.basename(recording)}`;
  for (const name of await readdir(folder)) {
    const isLeftover = name.startsWith(start) && LEFTOVER.test(name.slice(start.length));
    if (isLeftover) await rm(path.join(folder, name), { force: true });
  }
}

function checkText(text: string): void {
  if (text.trim().length < MIN_SCRUBBED_CHARACTERS) {
    const least = `The text must have at least ${MIN_SCRUBBED_CHARACTERS} characters.`;
    throw new UserError('bad-argument', least);
  }
  if (text.length > MAX_SCRUBBED_CHARACTERS) {
    const most = `The text must have at most ${MAX_SCRUBBED_CHARACTERS} characters.`;
    throw new UserError('bad-argument', most);
  }
}

/**
 * Refuses while the session, or another one in its workspace, runs: it could take new snapshots
 * with the text. Commands call it before they ask for the text; {@link scrubSession} checks again.
 * @throws UserError
 */
export async function checkAtRest(
  { meta }: CataloguedSession,
  catalogue: Catalogue,
): Promise<void> {
  for (const other of await catalogue.list()) {
    const isSame = other.meta.id === meta.id;
    if (other.meta.state !== 'running' || !(await isAlive(other))) continue;
    if (!isSame && !(await areNear(meta.workspace, other.meta.workspace))) continue;
    throw new UserError(
      'session-running',
      isSame
        ? 'The session is running; stop it first.'
        : `Session ${other.meta.id} is running in the same folder; stop it first.`,
      { remedy: { kind: 'stopSession', sessionId: other.meta.id } },
    );
  }
}

async function areNear(workspace: string | undefined, other: string | undefined): Promise<boolean> {
  return workspace !== undefined && other !== undefined && isSamePlace(workspace, other);
}

/** Searches everything again. A text that remains is a bug and must be reported. */
async function checkGone(
  session: CataloguedSession,
  text: string,
  forms: readonly Buffer[],
): Promise<void> {
  for (const file of [...(await ownFiles(session)), ...(await copiedAgentFiles())]) {
    if (await isLeftIn(file, forms)) throw new Error(`The text is still in ${file}.`);
  }
  const { recording } = session.meta;
  if (await isInRecording(recording, text)) throw new Error(`The text is still in ${recording}.`);
}
