import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readKeptTranscripts } from '../../agents/node/capture/keptTranscripts.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { isInRecording, streamHasText, type Sought } from './hiddenText.ts';
import { filesIn } from './ownFiles.ts';
import { isLeftIn } from './scrubFile.ts';

/** What still has a text after a scrub, since it belongs to others. */
export interface LeftPlaces {
  /** The agents' own records of the session. */
  readonly agentFiles: readonly string[];
  /** Sessions that were branched off, or from which this one was. */
  readonly sessions: readonly string[];
  /** Folders whose own names have it: by these the session and its branches are found. */
  readonly folders: readonly string[];
}

/** @param agentFiles where the agent wrote, as it was known before the scrub */
export async function leftPlaces(
  session: CataloguedSession,
  all: readonly CataloguedSession[],
  agentFiles: readonly string[],
  sought: Sought,
): Promise<LeftPlaces> {
  const having: string[] = [];
  for (const file of agentFiles) if (await hasText(file, sought)) having.push(file);
  const sessions: string[] = [];
  for (const other of relatives(session, all)) {
    if (await isSessionWith(other, sought)) sessions.push(other.meta.id);
  }
  return { agentFiles: having, sessions, folders: await namedFolders(session, sought) };
}

/** Files of the agent's own that the session was read from. A database keeps what is new beside it. */
export async function agentFilesOf({ folder }: CataloguedSession): Promise<string[]> {
  const { transcripts } = await readKeptTranscripts(folder);
  return [...new Set(transcripts.flatMap(({ source }) => [source, `${source}-wal`]))];
}

async function hasText(file: string, { forms, signal }: Sought): Promise<boolean> {
  const chunks = createReadStream(file) as AsyncIterable<Buffer>;
  // What is gone, or nobody may read, is nothing to tell.
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

/** One that runs is read as far as it is written. */
async function isSessionWith(
  { folder, meta }: CataloguedSession,
  { forms, text, signal }: Sought,
): Promise<boolean> {
  for (const file of await filesIn(folder)) {
    signal.throwIfAborted();
    if (file !== meta.recording && (await isLeftIn(file, forms).catch(() => false))) return true;
  }
  return isInRecording(meta.recording, text).catch(() => false);
}

async function namedFolders(
  { folder, meta }: CataloguedSession,
  { forms }: Sought,
): Promise<string[]> {
  const branches = (await new BranchRegistry().list()).map(({ workspace }) => workspace);
  const folders = [folder, path.dirname(meta.recording), meta.cwd, meta.workspace, ...branches];
  return [...new Set(folders)].filter(
    (each): each is string =>
      each !== undefined && forms.some((form) => Buffer.from(each).includes(form)),
  );
}
