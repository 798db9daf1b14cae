import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentAdapter, TranscriptPlace } from '../../common/adapter.ts';

/** The head of a transcript names the folder it is about; its first record may be long. */
const HEAD_BYTES = 256 * 1024;
/** A folder with more entries is not searched to its end. */
const MAX_ENTRIES = 20_000;

export type FilesPlace = Extract<TranscriptPlace, { kind: 'files' }>;

export interface FoundTranscript {
  readonly file: string;
  readonly bornMs: number;
  readonly changedMs: number;
}

/** The transcripts in a place that changed since a moment, newest first. What cannot be read is passed over. */
export async function changedTranscripts(
  place: FilesPlace,
  sinceMs: number,
): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  for (const file of await filesBelow(place.folder, place.depth)) {
    const relative = path.relative(place.folder, file).split(path.sep).join('/');
    if (!place.pattern.test(relative)) continue;
    const { birthtimeMs, mtimeMs } = await stat(file).catch(() => ({ birthtimeMs: 0, mtimeMs: 0 }));
    if (mtimeMs >= sinceMs) found.push({ file, bornMs: birthtimeMs, changedMs: mtimeMs });
  }
  return found.sort((a, b) => b.changedMs - a.changedMs);
}

/** The transcript of a session by the agent's own name for it. */
export async function transcriptOfSession(
  adapter: AgentAdapter,
  place: FilesPlace,
  session: string,
): Promise<string | undefined> {
  const files = (await changedTranscripts(place, 0)).map(({ file }) => file);
  const named = files.find((file) => adapter.sessionOfPath(file) === session);
  if (named !== undefined) return named;
  // Some do not have it in their names.
  for (const file of files.filter((each) => adapter.sessionOfPath(each) === undefined)) {
    if (await isAbout(file, session)) return file;
  }
  return undefined;
}

/** Whether the head of a transcript says that it is about this folder, or of this session. */
export async function isAbout(file: string, name: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead).toString('utf8');
    const quoted = JSON.stringify(name).slice(1, -1);
    // A longer path that begins alike is another folder.
    return head.split(quoted).some((after, index) => index > 0 && /^(?:["\\<\s]|$)/.test(after));
  } finally {
    await handle.close();
  }
}

async function filesBelow(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.slice(-MAX_ENTRIES)) {
    const full = path.join(folder, entry.name);
    if (entry.isFile()) files.push(full);
    else if (entry.isDirectory() && depth > 0) files.push(...(await filesBelow(full, depth - 1)));
  }
  return files;
}
