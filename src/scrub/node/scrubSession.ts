import { readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import { isAlive } from '../../sessions/node/liveness.ts';
import { isSamePlace } from '../../snapshots/node/workspacePlace.ts';
import { isInRecording, type Sought } from './hiddenText.ts';
import { agentFilesOf, leftPlaces, type LeftPlaces } from './leftPlaces.ts';
import { madeFiles, ownFiles } from './ownFiles.ts';
import { isLeftIn, scrubFile, scrubInPlace } from './scrubFile.ts';
import { scrubRecording } from './scrubRecording.ts';
import { scrubSnapshotsOf } from './scrubSnapshots.ts';
import { textForms } from './textForms.ts';

/** Shorter texts are everywhere, and what is left would be no recording any more. */
export const MIN_SCRUBBED_CHARACTERS = 4;
const MAX_SCRUBBED_CHARACTERS = 64 * 1024;
/** Caches, made from the recording when they are missed. */
const CACHES = ['session.keyframes'];
/** Behind the recording's name: what a kill left of one that was to take its place. */
const LEFTOVER = /^\.[0-9a-f]{8}\.(?:repack|scrub)$/;

export type ScrubStep = 'recording' | 'files' | 'snapshots' | 'check';

export interface ScrubResult {
  /** Places in what was printed and typed. */
  readonly recording: number;
  /** Files beside the recording in which it was. */
  readonly files: number;
  /** Snapshots that were written anew without it, and those that had to go. */
  readonly rewrittenSnapshots: number;
  readonly removedSnapshots: number;
  /** What has it still, and is not ours to change. The files of workspaces and branches are not looked into. */
  readonly left: LeftPlaces;
}

export interface ScrubOptions {
  readonly catalogue: Catalogue;
  readonly signal: AbortSignal;
  /** What was made of sessions to search them goes: it is made anew. */
  forgetSearch(): void;
  onStep?(step: ScrubStep): void;
}

/**
 * Takes a text out of everything that is kept of a session, for good: its recording, events and transcripts, its caches,
 * what its branches were made of, and all snapshots of its workspace. The files of the workspace themselves are the user's,
 * and stay as they are.
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
  const sought: Sought = { text, forms, signal: options.signal };
  const agentFiles = await agentFilesOf(session);
  options.onStep?.('recording');
  const recording = await scrubRecording(meta.recording, text, {
    ...{ quality: meta.brotliQ, signal: options.signal },
  });
  options.onStep?.('files');
  for (const name of CACHES) await rm(path.join(folder, name), { force: true });
  await removeLeftovers(meta.recording);
  let files = 0;
  for (const file of await ownFiles(session)) {
    options.signal.throwIfAborted();
    if (await scrubFile(file, forms)) files++;
  }
  for (const file of await madeFiles()) if (await scrubInPlace(file, forms)) files++;
  options.forgetSearch();
  options.onStep?.('snapshots');
  const places = recording + files > 0 ? [folder, meta.recording] : [];
  const scrubbedPlaces = await Promise.all(places.map((place) => realpath(place)));
  const found = { text, forms, scrubbedPlaces };
  const { troubles, ...snapshots } = await scrubSnapshotsOf(session, found, options);
  options.onStep?.('check');
  await checkGone(session, text, forms);
  const made = new Set(await madeFiles());
  const others = agentFiles.filter((file) => !made.has(file));
  const left = await leftPlaces(session, await options.catalogue.list(), others, sought);
  // Every window that lists what was done reads it anew.
  await options.catalogue.add(meta.id, folder);
  if (troubles.length > 0) {
    const left = `The text is gone but for what is out of reach. ${troubles.join(' ')}`;
    throw new UserError('scrub-incomplete', left);
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
    const least = `The text needs at least ${MIN_SCRUBBED_CHARACTERS} characters.`;
    throw new UserError('bad-argument', least);
  }
  if (text.length > MAX_SCRUBBED_CHARACTERS) {
    throw new UserError('bad-argument', 'The text is too long.');
  }
}

/** Who runs in the workspace takes snapshots of it, with what they remember. */
async function checkAtRest({ meta }: CataloguedSession, catalogue: Catalogue): Promise<void> {
  for (const other of await catalogue.list()) {
    const isSame = other.meta.id === meta.id;
    if (other.meta.state !== 'running' || !(await isAlive(other))) continue;
    if (!isSame && !(await areNear(meta.workspace, other.meta.workspace))) continue;
    throw new UserError(
      'session-running',
      isSame
        ? 'The session is running; stop it first.'
        : `Session ${other.meta.id} is running in the same folder; stop it first.`,
    );
  }
}

async function areNear(workspace: string | undefined, other: string | undefined): Promise<boolean> {
  return workspace !== undefined && other !== undefined && isSamePlace(workspace, other);
}

/** Reads everything again. A text that is still there is a bug, and must not pass for gone. */
async function checkGone(
  session: CataloguedSession,
  text: string,
  forms: readonly Buffer[],
): Promise<void> {
  for (const file of [...(await ownFiles(session)), ...(await madeFiles())]) {
    if (await isLeftIn(file, forms)) throw new Error(`The text is still in ${file}.`);
  }
  const { recording } = session.meta;
  if (await isInRecording(recording, text)) throw new Error(`The text is still in ${recording}.`);
}
