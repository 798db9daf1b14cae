import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readCopiedTranscripts } from '../../agents/node/capture/copiedTranscripts.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { isInRecording, streamHasText } from './hiddenText.ts';
import { filesIn } from './ownFiles.ts';
import { isLeftIn } from './scrubFile.ts';
import type { ScrubText } from './textForms.ts';

/** Places that still have the text after a scrub, since the scrub may not change them. */
export interface RemainingPlaces {
  /** The agents' own transcripts of the session. */
  readonly agentFiles: readonly string[];
  /** Branches of the session, and its original. */
  readonly sessions: readonly string[];
  /** Folders with the text in their paths, by which the session and its branches are found. */
  readonly folders: readonly string[];
  /**
   * Byte offsets of the first screens of the recording that still show the text: a program drew it
   * in another order than one reads it.
   */
  readonly screens: readonly number[];
}

/** @param agentFiles the agent's own files, listed before the scrub */
export async function remainingPlaces(
  session: CataloguedSession,
  all: readonly CataloguedSession[],
  agentFiles: readonly string[],
  scrubText: ScrubText,
): Promise<RemainingPlaces> {
  const having: string[] = [];
  for (const file of agentFiles) if (await hasText(file, scrubText)) having.push(file);
  const sessions: string[] = [];
  for (const other of relatives(session, all)) {
    if (await isSessionWith(other, scrubText)) sessions.push(other.meta.id);
  }
  const folders = await namedFolders(session, scrubText);
  // Loads the terminal model, which the editor needs only here.
  const { textOnScreen } = await import('./drawnText.ts');
  const screens = await textOnScreen(session, scrubText.text, scrubText.signal);
  return { agentFiles: having, sessions, folders, screens };
}

/** The agent's own files of the session. A database has its latest writes in a `-wal` file. */
export async function agentFilesOf({ folder }: CataloguedSession): Promise<string[]> {
  const { transcripts } = await readCopiedTranscripts(folder);
  return [...new Set(transcripts.flatMap(({ source }) => [source, `${source}-wal`]))];
}

async function hasText(file: string, { forms, signal }: ScrubText): Promise<boolean> {
  const chunks = createReadStream(file) as AsyncIterable<Buffer>;
  // Files that are gone or unreadable can't be reported.
  return streamHasText(chunks, forms, signal).catch(() => {
    signal.throwIfAborted();
    return false;
  });
}

function relatives(
  { meta }: CataloguedSession,
  all: readonly CataloguedSession[],
): CataloguedSession[] {
  const related = new Set([meta.id]);
  const above = all.find((each) => each.meta.id === meta.branchOf?.fromSessionId);
  for (let count = 0; count < related.size;) {
    count = related.size;
    for (const each of all) {
      if (related.has(each.meta.branchOf?.fromSessionId ?? '')) related.add(each.meta.id);
    }
  }
  related.delete(meta.id);
  return [...(above ? [above] : []), ...all.filter((each) => related.has(each.meta.id))];
}

/** Whether a session has the text. A running session is read up to its present end. */
async function isSessionWith(
  { folder, meta }: CataloguedSession,
  { forms, text, signal }: ScrubText,
): Promise<boolean> {
  for (const file of await filesIn(folder)) {
    signal.throwIfAborted();
    if (file !== meta.recording && (await ifReadable(isLeftIn(file, forms)))) return true;
  }
  return ifReadable(isInRecording(meta.recording, text));
}

/** Files that are gone or unreadable can't be reported. */
function ifReadable(hasText: Promise<boolean>): Promise<boolean> {
  return hasText.catch(() => false);
}

async function namedFolders(
  { folder, meta }: CataloguedSession,
  { forms }: ScrubText,
): Promise<string[]> {
  const branches = (await new BranchRegistry().list()).map(({ workspace }) => workspace);
  const folders = [folder, path.dirname(meta.recording), meta.cwd, meta.workspace, ...branches];
  return [...new Set(folders)].filter(
    (each): each is string =>
      each !== undefined && forms.some((form) => Buffer.from(each).includes(form)),
  );
}
