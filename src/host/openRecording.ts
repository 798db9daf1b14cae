import { messageOf, UserError } from '../base/errors.ts';
import { brotliCompressor, brotliDecompressor } from '../platform/node/files/brotli.ts';
import { FileSink } from '../platform/node/files/fileSink.ts';
import { FileSource } from '../platform/node/files/fileSource.ts';
import { decodeBlock } from '../recording/read/blockDecoder.ts';
import { RecordingWriter } from '../recording/write/writer.ts';
import type { SessionContext } from './sessionContext.ts';
import { SessionLog } from './sessionLog.ts';

/**
 * Longest time that output stays in memory. If the recorder is killed, the output of this time and
 * the block being written are lost. Repacking at the end of the session merges the small blocks.
 */
const BLOCK_AGE_MS = 100;

export interface OpenRecording {
  readonly writer: RecordingWriter;
  readonly log: SessionLog;
  /** Closes the file. Close the writer first. */
  close(): Promise<void>;
}

/** Creates the recording's file. @throws UserError `cannot-write` */
export async function openRecording({
  spec,
  clock,
  redaction,
}: SessionContext): Promise<OpenRecording> {
  const sink = await FileSink.create(spec.recording).catch((error: unknown) => {
    const message = `Can't create the recording ${spec.recording}: ${messageOf(error)}`;
    throw new UserError('cannot-write', message, { cause: error });
  });
  const source = await FileSource.open(spec.recording);
  const writer = new RecordingWriter({
    sink,
    clock,
    compressor: brotliCompressor,
    quality: spec.brotliQ,
    maxBlockAgeMs: BLOCK_AGE_MS,
  });
  const log = new SessionLog(redaction.writer(writer), async (block) => {
    const { records, problem } = await decodeBlock(source, brotliDecompressor, block);
    if (problem) throw new Error(problem.message);
    return records;
  });
  return {
    writer,
    log,
    close: async () => {
      await sink.close();
      await source.close();
    },
  };
}
