import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentAdapter, TranscriptPlace } from '../../common/adapter.ts';
import { readFilePart } from './filePart.ts';

/** The start of a transcript names its folder; its first record may be long. */
const HEAD_BYTES = 256 * 1024;
/** Limits the entries searched per folder. */
const MAX_ENTRIES = 20_000;

export type FilesPlace = Extract<TranscriptPlace, { kind: 'files' }>;

export interface FoundTranscript {
  readonly file: string;
  readonly bornMs: number;
  readonly changedMs: number;
}

/** The transcripts that changed since a time, newest first. Skips unreadable files. */
export async function changedTranscripts(
  place: FilesPlace,
  sinceMs: number,
): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  for (const file of await filesBelow(place.folder, place.depth)) {
    const relative = path.relative(place.folder, file).split(path.sep).join('/');
    if (!place.pattern.test(relative)) continue;
    // The agent may have deleted the file meanwhile.
    const stats = await stat(file).catch(() => undefined);
    if (!stats || stats.mtimeMs < sinceMs) continue;
    found.push({ file, bornMs: stats.birthtimeMs, changedMs: stats.mtimeMs });
  }
  return found.sort((a, b) => b.changedMs - a.changedMs);
}

/** Finds the transcript of a session by the agent's session ID. */
export async function transcriptOfSession(
  adapter: AgentAdapter,
  place: FilesPlace,
  session: string,
): Promise<string | undefined> {
  const files = (await changedTranscripts(place, 0)).map(({ file }) => file);
  const named = files.find((file) => adapter.sessionOfPath(file) === session);
  if (named !== undefined) return named;
  // Some agents' file names lack the session ID.
  for (const file of files.filter((each) => adapter.sessionOfPath(each) === undefined)) {
    if (await isAbout(file, session)) return file;
  }
  return undefined;
}

/** Whether the start of a transcript contains this folder or session ID as a complete value. */
export async function isAbout(file: string, name: string): Promise<boolean> {
  const start = await readFilePart(file, 'start', HEAD_BYTES);
  const quoted = JSON.stringify(name).slice(1, -1);
  // The character after the name must end it: this excludes longer paths with the same beginning.
  const [, ...after] = start?.text.split(quoted) ?? [];
  return after.some((rest) => /^(?:["\\<\s]|$)/.test(rest));
}

async function filesBelow(folder: string, depth: number): Promise<string[]> {
  // The agent may not have created the folder yet.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.slice(-MAX_ENTRIES)) {
    const full = path.join(folder, entry.name);
    if (entry.isFile()) files.push(full);
    else if (entry.isDirectory() && depth > 0) files.push(...(await filesBelow(full, depth - 1)));
  }
  return files;
}
