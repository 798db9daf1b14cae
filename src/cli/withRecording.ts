import { existsSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../base/errors.ts';
import { brotliDecompressor } from '../platform/node/files/brotli.ts';
import { Catalogue, type CataloguedSession } from '../sessions/node/catalogue.ts';
import { FileSource } from '../platform/node/files/fileSource.ts';
import { RecordingReader } from '../recording/read/reader.ts';

export interface OpenedRecording {
  readonly file: string;
  readonly reader: RecordingReader;
  /** What is known beside the recording itself; nothing for a file that belongs to no session. */
  readonly session: CataloguedSession | undefined;
}

/**
 * Opens a recording for as long as `task` runs.
 * @param which a session's id, a file, or nothing for the newest session
 */
export async function withRecording<T>(
  which: string | undefined,
  task: (recording: OpenedRecording) => Promise<T>,
): Promise<T> {
  const session = await findSession(which);
  const file = session?.meta.recording ?? path.resolve(which ?? '');
  return withSource(file, async (source) => {
    return task({ file, session, reader: await openReader(file, source) });
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
    // A folder can be opened, and not be read.
    await source.read(0, 1).catch(async (error: unknown) => {
      await source.close();
      throw error;
    });
    return source;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UserError(
      'cannot-open',
      isMissing
        ? `There is no file ${file}.`
        : `${file} cannot be opened: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

async function openReader(file: string, source: FileSource): Promise<RecordingReader> {
  const reader = await RecordingReader.open(source, brotliDecompressor);
  // The first block of a session that just began is not written yet: that is an empty recording.
  if (reader.blocks.length === 0 && (await source.size()) > 0) {
    throw new UserError('not-a-recording', `${file} is not an .ahr recording.`);
  }
  return reader;
}

async function findSession(which: string | undefined): Promise<CataloguedSession | undefined> {
  const catalogue = new Catalogue();
  if (which === undefined) {
    const newest = (await catalogue.list())[0];
    if (!newest)
      throw new UserError(
        'no-sessions',
        'There are no sessions yet. Make one: ah agent record -- COMMAND',
      );
    return newest;
  }
  if (which.includes(path.sep) || existsSync(which)) return undefined;
  return catalogue.find(which);
}
