import { existsSync } from 'node:fs';
import path from 'node:path';
import { errorCode, UserError } from '../../base/errors.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { Catalogue, type CataloguedSession } from '../../sessions/node/catalogue.ts';
import { FileSource } from '../../platform/node/files/fileSource.ts';
import type { RecordingProblem } from '../../recording/format/problem.ts';
import { RecordingReader } from '../../recording/read/reader.ts';
import { sessionOfRecording, unicodeVersionOf } from '../../sessions/node/sessionOfRecording.ts';

export interface OpenedRecording {
  readonly file: string;
  readonly reader: RecordingReader;
  /** Undefined for a file outside of any session. */
  readonly session: CataloguedSession | undefined;
  /** Character widths of the terminal. */
  readonly unicodeVersion: UnicodeVersion;
}

/**
 * Opens a recording and closes it after `task`.
 * @param which the ID of a session or a file; by default the newest session
 */
export async function withRecording<T>(
  which: string | undefined,
  task: (recording: OpenedRecording) => Promise<T>,
): Promise<T> {
  const session = await findSession(which);
  const file = session?.meta.recording ?? path.resolve(which ?? '');
  return withSource(file, async (source) => {
    const reader = await openReader(file, source);
    const unicodeVersion = unicodeVersionOf(session?.meta ?? (await sessionOfRecording(file)));
    return task({ file, session, unicodeVersion, reader });
  });
}

export async function withSource<T>(
  file: string,
  task: (source: FileSource) => Promise<T>,
): Promise<T> {
  const source = await openSource(file);
  try {
    return await task(source);
  } finally {
    await source.close();
  }
}

async function openSource(file: string): Promise<FileSource> {
  try {
    const source = await FileSource.open(file);
    // Opening a folder succeeds; only reading it fails.
    await source.read(0, 1).catch(async (error: unknown) => {
      await source.close();
      throw error;
    });
    return source;
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    throw new UserError(
      'cannot-open',
      isMissing
        ? `Can't open ${file}: no such file.`
        : `Can't open ${file}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

async function openReader(file: string, source: FileSource): Promise<RecordingReader> {
  const reader = await RecordingReader.open(source, brotliDecompressor);
  // A new session has an empty file until its first block is written.
  if (reader.blocks.length === 0 && (await source.size()) > 0) {
    throw notARecording(file, reader.problem);
  }
  return reader;
}

/** @param problem of the first block */
export function notARecording(
  file: string,
  problem: Pick<RecordingProblem, 'kind' | 'message'> | undefined,
): UserError {
  if (problem?.kind === 'badVersion') {
    const message = `${file} was written by a newer version and can't be read. Update AH Time Travel.`;
    return new UserError('newer-version', message);
  }
  const details = problem ? ` ${problem.message}` : '';
  return new UserError('not-a-recording', `${file} is not an .ahr recording.${details}`);
}

async function findSession(which: string | undefined): Promise<CataloguedSession | undefined> {
  const catalogue = new Catalogue();
  if (which === undefined) {
    const newest = (await catalogue.list())[0];
    if (!newest)
      throw new UserError(
        'no-sessions',
        'No sessions yet. To record one: ah agent record -- COMMAND',
      );
    return newest;
  }
  if (which.includes(path.sep) || existsSync(which)) return undefined;
  return catalogue.find(which);
}
