import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { RecordingReader } from '../../recording/read/reader.ts';
import { planScrub, scrubbedRecords } from '../common/scrubbedRecords.ts';
import { RecordingWriter } from '../../recording/write/writer.ts';
import { syncFolder } from '../../platform/node/files/atomicFile.ts';
import { brotliCompressor, brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { FileSink } from '../../platform/node/files/fileSink.ts';
import { FileSource } from '../../platform/node/files/fileSource.ts';
import { SystemClock } from '../../platform/node/systemClock.ts';

/** Long enough for each block to be filled, since no reader waits for the new file. */
const BLOCK_AGE_MS = 60_000;
const MAX_PENDING_BYTES = 16 * 1024 * 1024;

/**
 * Removes a text from a finished recording. An aborted scrub leaves the recording unchanged.
 * @returns the number of matches
 */
export async function scrubRecording(
  file: string,
  text: string,
  { quality, signal }: { readonly quality: number; readonly signal: AbortSignal },
): Promise<number> {
  const source = await FileSource.open(file);
  const temporary = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${randomBytes(4).toString('hex')}.scrub`,
  );
  try {
    const reader = await RecordingReader.open(source, brotliDecompressor);
    const records = () => until(signal, reader.records());
    const plan = await planScrub(records(), text);
    await write(scrubbedRecords(records(), plan, text), temporary, quality, reader.isFinished);
    await rename(temporary, file);
    await syncFolder(path.dirname(file));
    return plan.matches;
  } finally {
    await source.close();
    await rm(temporary, { force: true });
  }
}

async function* until<T>(
  signal: AbortSignal,
  items: AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
  }
}

async function write(
  records: ReturnType<typeof scrubbedRecords>,
  file: string,
  quality: number,
  isFinished: boolean,
): Promise<void> {
  const sink = await FileSink.create(file);
  const writer = new RecordingWriter({
    sink,
    quality,
    clock: new SystemClock(),
    compressor: brotliCompressor,
    maxBlockAgeMs: BLOCK_AGE_MS,
  });
  try {
    for await (const record of records) {
      writer.append(record);
      if (writer.pendingBytes > MAX_PENDING_BYTES) await writer.flush();
    }
    // If the recording had no last block, the new one gets none either.
    if (isFinished) await writer.close();
    else await writer.flush();
  } finally {
    writer.dispose();
    await sink.close();
  }
}
