import { UserError } from '../../base/errors.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import { isAlive } from '../../sessions/node/liveness.ts';
import { checkScrubFinished } from '../../sessions/node/unfinishedScrubs.ts';
import { isSamePlace } from '../../snapshots/node/open/workspacePlace.ts';
import { isInRecording } from './hiddenText.ts';
import { applyScrub } from './journal/applyScrub.ts';
import { finishScrubs } from './journal/finishScrubs.ts';
import { withScrubLock, writeJournal } from './journal/scrubJournal.ts';
import { agentFilesOf, remainingPlaces, type RemainingPlaces } from './remainingPlaces.ts';
import { copiedAgentFiles, ownFiles } from './ownFiles.ts';
import { prepareScrub } from './prepareScrub.ts';
import { isLeftIn } from './scrubFile.ts';
import { verifySnapshots } from './scrubSnapshots.ts';
import { textForms, type ScrubText } from './textForms.ts';

/** Shorter texts match everywhere, so a scrub would destroy the recording. */
export const MIN_SCRUBBED_CHARACTERS = 4;
const MAX_SCRUBBED_CHARACTERS = 64 * 1024;

export type ScrubStep = 'recording' | 'files' | 'snapshots' | 'apply' | 'check';

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
  /** Receives a sentence about an earlier scrub that was interrupted. */
  onReport?(text: string): void;
}

/**
 * Removes a text for good from everything stored of a session: its recording, events, transcripts
 * and caches, the memory in its branches, and all snapshots of its workspace. The files of the
 * workspace itself stay unchanged. All or nothing: what replaces what is decided before anything
 * changes, and noted in a journal.
 */
export async function scrubSession(
  session: CataloguedSession,
  text: string,
  options: ScrubOptions,
): Promise<ScrubResult> {
  checkText(text);
  const { catalogue, signal } = options;
  // An earlier scrub that was interrupted comes first.
  await finishScrubs(options, (report) => options.onReport?.(report));
  return withScrubLock(catalogue, signal, () => scrubAlone(session, text, options));
}

async function scrubAlone(
  session: CataloguedSession,
  text: string,
  options: ScrubOptions,
): Promise<ScrubResult> {
  const { catalogue, signal } = options;
  const onStep = (step: ScrubStep) => options.onStep?.(step);
  checkScrubFinished(session.meta.id, catalogue);
  await checkAtRest(session, catalogue);
  const scrubText: ScrubText = { text, forms: textForms(text), signal };
  const agentFiles = await agentFilesOf(session);
  const prepared = await prepareScrub(session, { catalogue, scrubText, onStep });
  // From here on, the scrub is completed, even by the next process if this one is killed.
  await writeJournal(catalogue, prepared.journal);
  onStep('apply');
  const problems = await applyScrub(prepared.journal, options);
  onStep('check');
  const unstoppable = { ...scrubText, signal: new AbortController().signal };
  await checkGone(session, unstoppable);
  const { workspace } = prepared.journal;
  if (workspace !== undefined) {
    const searched = { ...prepared.searched, signal: unstoppable.signal };
    await verifySnapshots(workspace, searched, catalogue, problems.length);
  }
  const copied = new Set(await copiedAgentFiles());
  const others = agentFiles.filter((file) => !copied.has(file));
  const left = await remainingPlaces(session, await catalogue.list(), others, unstoppable);
  if (problems.length > 0) {
    const message = `The text was removed, except from these places: ${problems.join(' ')}`;
    throw new UserError('scrub-incomplete', message);
  }
  const { recording, files, rewrittenSnapshots, removedSnapshots } = prepared;
  return { recording, files, rewrittenSnapshots, removedSnapshots, left };
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
async function checkGone(session: CataloguedSession, { text, forms }: ScrubText): Promise<void> {
  for (const file of [...(await ownFiles(session)), ...(await copiedAgentFiles())]) {
    if (await isLeftIn(file, forms)) throw new Error(`The text is still in ${file}.`);
  }
  const { recording } = session.meta;
  if (await isInRecording(recording, text)) throw new Error(`The text is still in ${recording}.`);
}
