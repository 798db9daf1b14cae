import type { RecordingReader } from '../../recording/read/reader.ts';
import { DEFAULT_TERMINAL_SIZE } from '../../terminal/screen/defaultSize.ts';
import type { OpenedRecording } from './withRecording.ts';

/** The initial terminal size: from the first record, else from the session, else a default. */
export async function recordedSize({
  reader,
  session,
}: OpenedRecording): Promise<{ cols: number; rows: number }> {
  const first = await firstRecord(reader);
  if (first?.kind === 'resize' && first.cols > 0 && first.rows > 0)
    return { cols: first.cols, rows: first.rows };
  return session ? { cols: session.meta.cols, rows: session.meta.rows } : DEFAULT_TERMINAL_SIZE;
}

export async function firstRecord(reader: RecordingReader) {
  for await (const record of reader.records({ to: 1 })) return record;
  return undefined;
}
